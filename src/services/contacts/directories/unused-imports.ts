import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import { removeContacts, type ImportRef } from './insert-contacts.ts';

/**
 * Removes the rows of imports before this one, except those that a campaign calls or has called, because its
 * results and redials need them.
 */
export async function removeUnusedImports(
  db: DataSource,
  { directoryId, organizationId, importNumber }: ImportRef,
  signal: AbortSignal,
): Promise<void> {
  const used: { number: number }[] = await queryRows(db, {
    organizationId,
    sql: 'SELECT DISTINCT import_number AS number FROM campaigns WHERE directory_id = ? AND organization_id = ? AND import_number IS NOT NULL',
    values: [directoryId, organizationId],
  });
  const kept = new Set(used.map(({ number }) => number));
  for (let earlier = importNumber - 1; earlier >= 1; earlier -= 1) {
    // guarantee: called-rows-survive-import
    if (!kept.has(earlier))
      await removeContacts(db, { directoryId, organizationId, importNumber: earlier }, signal);
  }
}
