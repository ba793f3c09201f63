import { In } from 'typeorm';
import type { Campaign } from '../../../contract/campaigns.ts';
import { findRows, queryRows } from '../../../db/rows.ts';
import { campaignLogs, type CampaignLogRow } from '../../../db/tables/campaign-logs.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { directories } from '../../../db/tables/directories.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { agentNames } from '../../calls/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { findAuthors } from '../records/log.ts';
import { toCampaign } from './mapper.ts';

const shownLogs = 100;

/** The answer for one campaign, with its latest log entries. */
export async function showCampaign(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'campaignCounts'>,
  row: CampaignRow,
): Promise<Campaign> {
  const [shown] = await show(ctx, deps, [row], shownLogs);
  if (shown === undefined) throw new RangeError('one campaign has one answer');
  return shown;
}

/** The answers for several campaigns, in their order, with so many log entries each. */
export async function showCampaigns(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'campaignCounts'>,
  { rows, logs }: { rows: readonly CampaignRow[]; logs: number },
): Promise<Campaign[]> {
  return await show(ctx, deps, rows, logs);
}

async function show(
  ctx: ServiceContext,
  { campaignCounts }: Pick<CampaignDeps, 'campaignCounts'>,
  rows: readonly CampaignRow[],
  maxLogs: number,
): Promise<Campaign[]> {
  if (rows.length === 0) return [];
  const { organizationId, db } = ctx;
  const agents = await agentNames(
    ctx,
    rows.map(({ agentId }) => agentId),
  );
  const connections = await findRows(
    db,
    telephonyConfigurations,
    { organizationId },
    { select: ['id', 'name'] },
  );
  const files = await findRows(
    db,
    directories,
    { organizationId, id: In(rows.map(({ directoryId }) => directoryId)) },
    { select: ['id', 'fileKey', 'name'] },
  );
  const counts = await campaignCounts.states(rows);
  const logs = await latestLogs(
    ctx,
    rows.map(({ id }) => id),
    maxLogs,
  );
  const authorOf = await findAuthors(ctx, logs);
  return rows.map((row) => {
    const file = files.find(({ id }) => id === row.directoryId);
    return toCampaign({
      row,
      agentName: agents.get(row.agentId) ?? '',
      configurationName: connections.find(({ id }) => id === row.configurationId)?.name ?? null,
      fileKey: file?.fileKey ?? '',
      directoryName: file?.name ?? '',
      counts: counts.get(row.id) ?? { queued: 0, waiting: 0, processing: 0, processed: 0, failed: 0 },
      logs: logs.filter(({ campaignId }) => campaignId === row.id),
      authorOf,
    });
  });
}

/** The latest log entries of each campaign, oldest first. */
async function latestLogs(
  { db, organizationId }: ServiceContext,
  campaignIds: readonly number[],
  max: number,
): Promise<CampaignLogRow[]> {
  if (max === 0) return [];
  const ranked: { id: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY campaign_id ORDER BY at DESC, id DESC) AS place FROM campaign_logs WHERE organization_id = ? AND campaign_id IN (${campaignIds.map(() => '?').join(', ')})) AS ranked WHERE place <= ?`,
    values: [organizationId, ...campaignIds, max],
  });
  if (ranked.length === 0) return [];
  return await findRows(
    db,
    campaignLogs,
    { organizationId, id: In(ranked.map(({ id }) => Number(id))) },
    { order: { at: 'ASC', id: 'ASC' } },
  );
}
