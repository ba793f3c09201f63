import type { Stats } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isFileKey, requireFileFolder } from '../../domain/files/key.ts';
import { isAbsent, nullWhenAbsent, onDisk, unavailable } from './on-disk.ts';
import type { ListedFile } from './port.ts';

const pageSize = 500;

/** Lists the files whose keys begin with a folder, in pages. Skips files whose names are not keys. */
export async function* listFolder(root: string, folder: string): AsyncGenerator<ListedFile[]> {
  let page: ListedFile[] = [];
  for await (const { path, facts } of filesBelow(join(root, requireFileFolder(folder)))) {
    const key = relative(root, path).replaceAll(sep, '/');
    if (isFileKey(key)) page.push({ key, modifiedAt: new Date(facts.mtimeMs) });
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Removes files of a folder that were not written to since that time. */
export async function removeOlder(folder: string, before: Date): Promise<void> {
  for await (const { path, facts } of filesBelow(folder))
    if (facts.mtimeMs < before.getTime()) await onDisk(rm(path, { force: true }));
}

/** Lists all files below a folder; may omit files that are removed meanwhile. */
async function* filesBelow(folder: string): AsyncGenerator<{ path: string; facts: Stats }> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* filesBelow(path);
      const facts = entry.isFile() ? await stat(path).catch(nullWhenAbsent) : null;
      if (facts !== null) yield { path, facts };
    }
  } catch (error) {
    if (!isAbsent(error)) throw unavailable(error);
  }
}
