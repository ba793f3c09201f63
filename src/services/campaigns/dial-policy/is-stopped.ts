import type { EntityManager } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';

// guarantee: operator-stops-all-organizations
// guarantee: dialing-switch-stops-all-campaigns
const sql = `
  SELECT EXISTS (SELECT 1 FROM installation_stops WHERE what = 'dialing')
      OR EXISTS (SELECT 1 FROM dial_policies WHERE organization_id = ? AND (stopped_at IS NOT NULL OR operator_stopped_at IS NOT NULL)) AS is_stopped`;

/**
 * Whether no campaign of the organization may dial now, because the organization or the operator stopped
 * dialing. Two look-ups by primary key, cheap enough for each round and each dial.
 */
export async function isStopped(manager: EntityManager, organizationId: number): Promise<boolean> {
  const [row]: { is_stopped: number | string }[] = await queryRows(manager, {
    organizationId,
    sql,
    values: [organizationId],
  });
  return Number(row?.is_stopped) === 1;
}
