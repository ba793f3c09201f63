import type { DataSource } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { NotFoundError, UnavailableError, ValidationError } from '../../../domain/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { ContactFileDeps } from './deps.ts';
import { forbidLate } from './forbid-late.ts';
import { Attempt, type ReadRows } from './import-attempt.ts';
import { removeContacts, removeSome, type ImportRef } from './insert-contacts.ts';
import { beginAttempt, changeDirectory, SupersededError, whileOwn, type OwnAttempt } from './own-attempt.ts';
import { loadSuppressed } from './suppressed-numbers.ts';
import { removeUnusedImports } from './unused-imports.ts';

export type { ImportRef } from './insert-contacts.ts';

/** What an import depends on. */
export interface ImportDeps extends ContactFileDeps {
  db: DataSource;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
}

/** `superseded`: the directory is gone, or no longer waits for this import or this attempt. */
export interface ImportOutcome {
  state: 'ready' | 'failed' | 'superseded';
  rows: number;
  ok: number;
}

interface Importing {
  deps: ImportDeps;
  own: OwnAttempt;
  signal: AbortSignal;
}

/**
 * One attempt at an import. It reads the file once (twice if the last of the rows with the same number
 * counts), and writes its rows in place of those of an earlier attempt. For an unreadable file, or one that
 * is not the registered one, it answers an outcome. Throws UnavailableError, and the reason of `signal`.
 */
export async function importContacts({
  deps,
  input,
  signal,
}: {
  deps: ImportDeps;
  input: ImportRef;
  signal: AbortSignal;
}): Promise<ImportOutcome> {
  const importing = { deps, own: { ...input, attempt: deps.ids.uuid() }, signal };
  try {
    return await attempt(importing);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SupersededError) return { state: 'superseded', rows: 0, ok: 0 };
    throw translateUnavailable(error);
  }
}

async function attempt(importing: Importing): Promise<ImportOutcome> {
  const {
    deps: { db, files },
    own,
    signal,
  } = importing;
  const directory = await beginAttempt(db, own);
  if (files === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  while (await whileOwn(db, own, (tx) => removeSome(tx, own))) signal.throwIfAborted();
  const findSuppressed = await loadSuppressed(db, own.organizationId, signal);
  const reading = new Attempt({ ...importing, directory, files, findSuppressed });
  try {
    return await finish(importing, await reading.run(), await reading.hashes());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof NotFoundError)
      return await fail(importing, 'The file is no longer in the storage: upload it again');
    if (!(error instanceof ValidationError)) throw error;
    const hashes = await reading.hashes();
    return await fail(
      importing,
      await whileOwn(db, own, (_, row) => Promise.resolve(isOther(row, hashes) ? replaced : error.message)),
    );
  }
}

const replaced = 'The file was replaced after it was registered, so its columns may differ: upload it again';

/** Whether the file is neither the registered one nor what an erasure has made of it since. */
function isOther({ sha256 }: DirectoryRow, hashes: ReadonlySet<string>): boolean {
  return [...hashes].some((hash) => hash !== sha256);
}

async function finish(
  { deps: { db, clock }, own, signal }: Importing,
  { totals: found, forbidden }: ReadRows,
  hashes: ReadonlySet<string>,
): Promise<ImportOutcome> {
  const { rows, ok } = await whileOwn(db, own, async (tx, row) => {
    // guarantee: replaced-file-not-imported
    if (isOther(row, hashes)) throw new ValidationError(replaced);
    // The transaction may be retried, and starts again from these totals.
    const totals = structuredClone(found);
    // guarantee: forbidden-number-closes-all-its-rows
    await forbidLate(tx, own, { phones: forbidden, totals });
    await changeDirectory(tx, own, { state: 'ready', totals, fault: null, importedAt: clock.now() });
    return totals;
  });
  await removeUnusedImports(db, own, signal);
  return { state: 'ready', rows, ok };
}

async function fail({ deps: { db }, own }: Importing, fault: string): Promise<ImportOutcome> {
  await whileOwn(db, own, (tx) => changeDirectory(tx, own, { state: 'failed', fault }));
  await removeContacts(db, own);
  return { state: 'failed', rows: 0, ok: 0 };
}

/** Changes the directory if it still waits for this import; false if it no longer does. */
export async function changeImporting(
  { manager }: DataSource,
  { directoryId, organizationId, importNumber }: ImportRef,
  change: Partial<DirectoryRow>,
): Promise<boolean> {
  return (
    (await updateRows(manager, directories, {
      where: { id: directoryId, organizationId, importNumber, state: 'importing' },
      change,
    })) > 0
  );
}
