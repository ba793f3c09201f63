import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import { PhoneRows } from '../../../domain/directory/phone-rows.ts';
import { findSuppressed } from '../suppressions/find-suppressed.ts';

/** Of one statement. */
const pageSize = 10_000;

/**
 * Numbers that are kept in memory while a file is read: some 30 MB. An organization with more is asked about
 * each batch.
 */
const maxKept = 1_000_000;

/** Which of these numbers the organization never calls. */
export type FindSuppressedAmong = (phones: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The organization's suppressed numbers, read once: to ask for each batch of a file takes as long as to write
 * it. One that is added while the file is read is found when it is dialed.
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
