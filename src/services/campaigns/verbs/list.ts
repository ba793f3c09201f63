import type { CampaignList } from '../../../contract/campaigns.ts';
import {
  campaignStandings,
  type CampaignFilter,
  type CampaignStanding,
} from '../../../contract/data/campaigns.ts';
import { selectFrom } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { showCampaigns } from './show.ts';

const isStanding: Readonly<Record<CampaignFilter, string>> = {
  running:
    "(campaign.state IN ('syncing', 'running') OR (campaign.stopMode IS NOT NULL AND campaign.state NOT IN ('completed', 'failed')))",
  paused: "campaign.state = 'paused' AND campaign.stopMode IS NULL",
  created: "campaign.state = 'created' AND campaign.stopMode IS NULL",
  completed: "campaign.state = 'completed' AND campaign.stopMode IS NULL",
  stopped: "campaign.state = 'completed' AND campaign.stopMode IS NOT NULL",
  failed: "campaign.state = 'failed'",
  open: "campaign.state <> 'completed'",
};

/** What a person knows a campaign by: its name, that of its agent and that of its file. */
const names = `LOWER(CONCAT_WS(' ', campaign.name,
  (SELECT agents.name FROM agents WHERE agents.id = campaign.agentId AND agents.organization_id = campaign.organizationId),
  (SELECT directories.name FROM directories WHERE directories.id = campaign.directoryId AND directories.organization_id = campaign.organizationId)))`;

interface ListCampaignsInput {
  /** Words that are all in the names. */
  search: string | undefined;
  standing: CampaignFilter | undefined;
  /** Undefined means all. */
  limit: number | undefined;
  offset: number;
  logs: number;
}

/** A page of the organization's campaigns, newest first (contract 11.5). */
export async function listCampaigns({
  ctx,
  deps,
  input: { search = '', standing, limit, offset, logs },
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'campaignCounts'>;
  input: ListCampaignsInput;
}): Promise<CampaignList> {
  const query = selectFrom(ctx.db, campaigns, { as: 'campaign', organizationId: ctx.organizationId });
  for (const [index, word] of search.split(/\s+/).filter(Boolean).entries())
    query.andWhere(`INSTR(${names}, LOWER(:word${index})) > 0`, { [`word${index}`]: word });
  const counts = await query
    .clone()
    .select(campaignStandings.map((each) => `SUM(${isStanding[each]}) AS ${each}`))
    .getRawOne<Partial<Record<CampaignStanding, string | null>>>();
  if (standing !== undefined) query.andWhere(isStanding[standing]);
  query.orderBy('campaign.createdAt', 'DESC').addOrderBy('campaign.id', 'DESC');
  // MySQL has no offset without a limit.
  if (limit !== undefined || offset > 0) query.limit(limit ?? Number.MAX_SAFE_INTEGER).offset(offset);
  const [rows, total] = await query.getManyAndCount();
  return {
    campaigns: await showCampaigns(ctx, deps, { rows, logs }),
    total_count: total,
    limit: limit ?? null,
    offset,
    standing_counts: {
      running: Number(counts?.running ?? 0),
      paused: Number(counts?.paused ?? 0),
      created: Number(counts?.created ?? 0),
      completed: Number(counts?.completed ?? 0),
      stopped: Number(counts?.stopped ?? 0),
      failed: Number(counts?.failed ?? 0),
    },
  };
}
