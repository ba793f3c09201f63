import { findRow, type Db } from '../../../db/rows.ts';
import { organizationPreferences } from '../../../db/tables/organization-preferences.ts';

/** The time zone by whose days an organization counts; UTC until it chooses one (contract 13.3). */
export async function zoneOf({ db, organizationId }: { db: Db; organizationId: number }): Promise<string> {
  const preferences = await findRow(db, organizationPreferences, { organizationId });
  return preferences?.timezone ?? 'UTC';
}
