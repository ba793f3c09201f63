import type { EntityManager } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';

/** Numbers per statement. */
const maxAtOnce = 1000;

/** Which of these numbers (digits with country code) the organization never dials. */
export async function findSuppressed(
  manager: EntityManager,
  organizationId: number,
  phones: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from = 0; from < phones.length; from += maxAtOnce) {
    const some = phones.slice(from, from + maxAtOnce);
    const sql = `SELECT phone FROM suppressions WHERE organization_id = ? AND phone IN (${some.map(() => '?').join(', ')})`;
    const rows: { phone: string }[] = await queryRows(manager, {
      organizationId,
      sql,
      values: [organizationId, ...some],
    });
    for (const { phone } of rows) found.add(phone);
  }
  return found;
}

/** Whether the organization never dials this number. */
export async function isSuppressed(
  manager: EntityManager,
  organizationId: number,
  phone: string,
): Promise<boolean> {
  return (await findSuppressed(manager, organizationId, [phone])).has(phone);
}
