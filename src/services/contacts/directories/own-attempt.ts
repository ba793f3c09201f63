import type { DataSource, EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import type { ImportRef } from './insert-contacts.ts';

/** One of the attempts at an import, by a name that no other has. */
export interface OwnAttempt extends ImportRef {
  attempt: string;
}

/** The directory is gone, does not wait for this import any more, or a later attempt has begun at it. */
export class SupersededError extends Error {}

/**
 * The directory, which waits for this attempt from now on, whatever others began before it. Throws
 * SupersededError when it does not wait for the import.
 */
export async function beginAttempt(db: DataSource, own: OwnAttempt): Promise<DirectoryRow> {
  return await inTransaction(db, async (tx) => {
    const row = await lockImporting(tx, own);
    await changeDirectory(tx, own, { totals: { ...noTotals, attempt: own.attempt } });
    return row;
  });
}

/**
 * Does a part of an attempt under the lock of its directory: a worker that stood still until it was thought
 * to be dead goes on some time, and must change nothing under the attempt that took its place, or after it.
 * Throws SupersededError when the directory waits for another one.
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

/** Changes the directory whose lock is held. */
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
