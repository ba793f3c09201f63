import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { NotFoundError } from '../../domain/errors.ts';
import { fileNameOf, requireFileKey } from '../../domain/files/key.ts';
import { mediaTypeOf } from '../../domain/files/media-type.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import { listFolder, removeOlder } from './list-folder.ts';
import { isAbsent, nullWhenAbsent, onDisk, unavailable } from './on-disk.ts';
import type { FileFacts, Files, GrowingFile } from './port.ts';

/**
 * Files in one folder. Unfinished files are in `.incoming`. Opens the folder, creates it if it is missing,
 * and throws if it is not writable.
 */
export async function openDirectory(folder: string): Promise<Files> {
  const root = resolve(folder);
  const incoming = join(root, '.incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const probe = join(incoming, randomUUID());
  await (await open(probe, 'wx')).close();
  await rm(probe);

  const pathOf = (key: string): string => join(root, requireFileKey(key));
  const facts = async (key: string): Promise<FileFacts | null> => {
    const found = await onDisk(stat(pathOf(key)).catch(nullWhenAbsent));
    return found === null
      ? null
      : { bytes: found.size, modifiedAt: new Date(found.mtimeMs), mediaType: mediaTypeOf(fileNameOf(key)) };
  };

  return {
    backend: 'local',
    links: null,
    write: async (key, bytes, maxBytes) =>
      await write({ path: pathOf(key), temporary: join(incoming, randomUUID()), root, bytes, maxBytes }),
    facts,
    read: (key, range) => read(pathOf(key), range),
    remove: async (key) => await onDisk(rm(pathOf(key), { force: true })),
    removeAll: async (key) => await onDisk(rm(pathOf(key), { force: true, recursive: true })),
    list: (folder) => listFolder(root, folder),
    removeUnfinished: async (before) => await removeOlder(incoming, before),
    grow: async (key) => await grow(pathOf(key)),
    async grown(key) {
      const found = await facts(key);
      return found === null
        ? null
        : { bytes: found.bytes, read: () => read(pathOf(key), { first: 0, last: found.bytes - 1 }) };
    },
  };
}

async function* read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  if (range !== undefined && range.last < range.first) return;
  try {
    yield* createReadStream(path, range === undefined ? {} : { start: range.first, end: range.last });
  } catch (error) {
    if (isAbsent(error)) throw new NotFoundError('File not found', { cause: error });
    throw unavailable(error);
  }
}

async function grow(path: string): Promise<GrowingFile> {
  await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
  const file = await onDisk(open(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  return {
    async write(bytes, atByte) {
      for (let written = 0; written < bytes.length;)
        written += (await onDisk(file.write(bytes, written, bytes.length - written, atByte + written)))
          .bytesWritten;
    },
    close: async () => await onDisk(file.close()),
  };
}

interface Writing {
  path: string;
  temporary: string;
  root: string;
  bytes: AsyncIterable<Uint8Array>;
  maxBytes: number;
}

/** Syncs the whole file to disk before it gets its name, so that a name never leads to a partial file. */
async function write({ path, temporary, root, bytes, maxBytes }: Writing): Promise<boolean> {
  try {
    // guarantee: file-written-whole-or-not-at-all
    if (!(await writeNew(temporary, bytes, maxBytes))) return false;
    const made = await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    await onDisk(rename(temporary, path));
    await onDisk(syncUpwards(dirname(path), made === undefined ? dirname(path) : root));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<boolean> {
  const file = await onDisk(open(path, 'wx', 0o600));
  try {
    let written = 0;
    for await (const chunk of bytes) {
      written += chunk.length;
      if (written > maxBytes) return false;
      await onDisk(file.writeFile(chunk));
    }
    await onDisk(file.sync());
    return true;
  } finally {
    await file.close();
  }
}

/** Syncs the folder and its parents, because a name is on disk only once its folder is. */
async function syncUpwards(folder: string, last: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== last) await syncUpwards(dirname(folder), last);
}
