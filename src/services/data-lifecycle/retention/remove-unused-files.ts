import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { organizationOfKey } from '../../../domain/files/key.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';

/** The storage's operations that find and remove unused files. */
export type UnusedFileStore = Pick<Files, 'list' | 'remove' | 'removeUnfinished'>;

interface UnusedFileDeps {
  db: DataSource;
  clock: Clock;
  log: Logger;
  /** Absent if the installation has no storage. */
  files?: UnusedFileStore | undefined;
}

/** Far longer than an upload takes and than an upload link is valid. */
const unusedAgeMs = 86_400_000;

/**
 * Removes contact files without a directory, and the rest of unfinished uploads, a day after the last write:
 * uploads and imports of suppressed numbers whose process died, files from upload links that became no
 * campaign, and files of deleted directories that the storage failed to remove. No erasure would find the
 * people in them. Answers the number of files. A repeated run continues. Throws UnavailableError, and the
 * reason of `signal`.
 */
export async function removeUnusedFiles({
  deps: { db, clock, log, files },
  signal,
}: {
  deps: UnusedFileDeps;
  signal: AbortSignal;
}): Promise<number> {
  if (files === undefined) return 0;
  const before = new Date(clock.now().getTime() - unusedAgeMs);
  await files.removeUnfinished(before);
  let removed = 0;
  for await (const page of files.list('campaigns')) {
    const old = page
      .filter(({ key, modifiedAt }) => modifiedAt < before && organizationOfKey(key) !== null)
      .map(({ key }) => key);
    for (const key of await withoutDirectory(db, old)) {
      signal.throwIfAborted();
      await files.remove(key);
      removed += 1;
    }
  }
  if (removed > 0) log.info({ files: removed }, 'Removed contact files without a directory');
  return removed;
}

async function withoutDirectory(db: DataSource, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await findRows(
    acrossOrganizations(db, 'the bucket holds the files of every organization'),
    directories,
    { fileKey: In(keys) },
    { select: ['fileKey'] },
  ).catch((error: unknown) => {
    throw translateUnavailable(error);
  });
  const kept = new Set(found.map(({ fileKey }) => fileKey));
  // guarantee: orphaned-contact-file-removed
  return keys.filter((key) => !kept.has(key));
}
