import type { EntityManager } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../db/rows.ts';

const sql = `
  SELECT COALESCE(SUM(GREATEST(CAST(max_calls AS SIGNED) - CAST(live_calls AS SIGNED), 0)), 0) AS places FROM media_hosts
  WHERE lost_at IS NULL AND is_draining = 0 AND lease_expires_at > UTC_TIMESTAMP(6)`;

/** The number of free seats at live hosts that do not drain; at most half a second old. */
export async function countPlaces(manager: EntityManager): Promise<number> {
  const [row]: { places: string | number }[] = await queryRows(
    acrossOrganizations(manager, 'media hosts belong to no organization'),
    { sql },
  );
  return Number(row?.places ?? 0);
}
