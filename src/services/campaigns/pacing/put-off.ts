import { In, type EntityManager } from 'typeorm';
import { changeRows, updateRows } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';

/** Rows that are due while their hours are closed. */
export interface ClosedRow {
  rowNumber: number;
  /** Null = never. */
  opensAt: Date | null;
}

type Campaign = Pick<CampaignRow, 'id' | 'organizationId'>;

/**
 * Postpones rows until their hours open. Rows whose hours never open again fail. Answers the number of rows.
 */
export async function putOff(
  tx: EntityManager,
  campaign: Campaign,
  { rows, now }: { rows: ClosedRow[]; now: Date },
): Promise<number> {
  const { id: campaignId, organizationId } = campaign;
  let changed = 0;
  for (const [openMs, together] of Map.groupBy(rows, ({ opensAt }) => opensAt?.getTime() ?? null)) {
    const change: Partial<CampaignTargetRow> =
      openMs === null
        ? { state: 'failed', dueAt: null, waitReason: 'window_never_opens', settledAt: now }
        : { dueAt: new Date(openMs), waitReason: 'outside_window' };
    changed += await updateRows(tx, campaignTargets, {
      where: {
        campaignId,
        rowNumber: In(together.map(({ rowNumber }) => rowNumber)),
        organizationId,
        state: 'waiting',
      },
      change,
    });
  }
  return changed;
}

/** Maximum number of rows that fail per look: some hundredths of a second. */
const failedAtOnce = 1000;

/**
 * Fails rows that were never dialed, in zones whose hours never open. Answers the number of rows; there may
 * be more.
 */
export async function failUnopened(
  tx: EntityManager,
  { id, organizationId }: Campaign,
  { zoneKeys, now }: { zoneKeys: string[]; now: Date },
): Promise<number> {
  const sql = `UPDATE campaign_targets SET state = 'failed', wait_reason = 'window_never_opens', settled_at = ? WHERE campaign_id = ? AND organization_id = ? AND state = 'queued' AND zone_key IN (${zoneKeys.map(() => '?').join(', ')}) LIMIT ${failedAtOnce}`;
  const affectedRows = await changeRows(tx, {
    organizationId,
    sql,
    values: [now, id, organizationId, ...zoneKeys],
  });
  return affectedRows;
}
