import type { DataSource, EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import type { ImportRef } from './insert-contacts.ts';

/** One attempt at an import, with a unique name. */
export interface OwnAttempt extends ImportRef {
  attempt: string;
}

/** The directory is gone, no longer waits for this import, or a later attempt has begun. */
export class SupersededError extends Error {}

/**
 * Makes the directory wait for this attempt instead of earlier ones. Throws SupersededError if it does not
 * wait for the import.
 */
export async function beginAttempt(db: DataSource, own: OwnAttempt): Promise<DirectoryRow> {
  return await inTransaction(db, async (tx) => {
    const row = await lockImporting(tx, own);
    await changeDirectory(tx, own, { totals: { ...noTotals, attempt: own.attempt } });
    return row;
  });
}

/**
 * Runs a part of an attempt under the lock of its directory. A stalled worker that was taken for dead may
 * continue for a while, and must change nothing during or after the attempt that replaced it. Throws
 * SupersededError if the directory waits for another attempt.
 */
export async function whileOwn<T>(
  db: DataSource,
  own: OwnAttempt,
  work: (tx: EntityManager, row: DirectoryRow) => Promise<T>,
): Promise<T> {
  return await inTransaction(db, async (tx) => {
    const row = await lockImporting(tx, own);
    // guarantee: superseded-import-attempt-writes-nothing
    if (row.totals.attempt !== own.attempt) throw new SupersededError();
    return await work(tx, row);
  });
}

/** Changes the locked directory. */
export async function changeDirectory(
  tx: EntityManager,
  { directoryId, organizationId }: ImportRef,
  change: Partial<DirectoryRow>,
): Promise<void> {
  await updateRows(tx, directories, { where: { id: directoryId, organizationId }, change });
}

async function lockImporting(
  tx: EntityManager,
  { directoryId, organizationId, importNumber }: ImportRef,
): Promise<DirectoryRow> {
  const row = await findRow(
    tx,
    directories,
    { id: directoryId, organizationId, importNumber, state: 'importing' },
    { isLocked: true },
  );
  if (row === null) throw new SupersededError();
  return row;
}
