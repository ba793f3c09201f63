import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import { PhoneRows } from '../../../domain/directory/phone-rows.ts';
import { findSuppressed } from '../suppressions/find-suppressed.ts';

/** Per statement. */
const pageSize = 10_000;

/**
 * Maximum number of numbers to keep in memory while a file is read: some 30 MB. For a longer list, each batch
 * is looked up.
 */
const maxKept = 1_000_000;

/** Finds which of these numbers the organization never calls. */
export type FindSuppressedAmong = (phones: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The organization's suppressed numbers, read once, because a look-up for each batch takes as long as writing
 * it. A number that is added while the file is read is found when it is dialed.
 */
export async function loadSuppressed(
  db: DataSource,
  organizationId: number,
  signal: AbortSignal,
): Promise<FindSuppressedAmong> {
  const kept = new PhoneRows();
  for (let last = ''; ;) {
    signal.throwIfAborted();
    const page: { phone: string }[] = await queryRows(db, {
      organizationId,
      sql: 'SELECT phone FROM suppressions WHERE organization_id = ? AND phone > ? ORDER BY phone LIMIT ?',
      values: [organizationId, last, pageSize],
    });
    for (const { phone } of page) kept.set(phone, 1);
    last = page.at(-1)?.phone ?? '';
    if (page.length < pageSize)
      return (phones) => Promise.resolve(new Set(phones.filter((phone) => kept.get(phone) !== undefined)));
    if (kept.size >= maxKept) return (phones) => findSuppressed(db.manager, organizationId, phones);
  }
}
