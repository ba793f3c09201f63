import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { organizationOfKey } from '../../../domain/files/key.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';

/** The storage's verbs by which files are found that nobody has. */
export type UnusedFileStore = Pick<Files, 'list' | 'remove' | 'removeUnfinished'>;

interface UnusedFileDeps {
  db: DataSource;
  clock: Clock;
  log: Logger;
  /** Absent = the installation keeps no files. */
  files?: UnusedFileStore | undefined;
}

/** Far longer than an upload takes, and than a link to upload to is good for. */
const unusedAgeMs = 86_400_000;

/**
 * Removes contact files that no directory has, and what is left of unfinished ones, a day after they were
 * last written to: uploads and imports of suppressed numbers whose process died, files that came by a link
 * and became no campaign, files of deleted directories that the storage did not remove. Nobody but this would
 * find the people in them. Answers how many there were. Run again it goes on. Throws UnavailableError, and
 * the reason of `signal`.
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
  if (removed > 0) log.info({ files: removed }, 'Contact files that no directory has were removed');
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
  // guarantee: contact-file-no-directory
  return keys.filter((key) => !kept.has(key));
}
