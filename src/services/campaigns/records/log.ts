import type { EntityManager } from 'typeorm';
import { insertRow } from '../../../db/rows.ts';
import { campaignLogs, type CampaignLogRow } from '../../../db/tables/campaign-logs.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { Clock } from '../../../runtime/clock.ts';

export type CampaignLogEntry = Pick<CampaignLogRow, 'event' | 'message'> &
  Partial<Pick<CampaignLogRow, 'level' | 'details'>>;

/**
 * Writes a log entry of a campaign in the transaction of its cause. It has words and counts only, nothing
 * about a person.
 */
export async function appendCampaignLog(
  tx: EntityManager,
  { id, organizationId }: Pick<CampaignRow, 'id' | 'organizationId'>,
  { clock, ...entry }: CampaignLogEntry & { clock: Clock },
): Promise<void> {
  await insertRow(tx, campaignLogs, {
    organizationId,
    campaignId: id,
    at: clock.now(),
    level: 'info' as const,
    details: {},
    ...entry,
  });
}
