import type { CampaignList } from '../../../contract/campaigns.ts';
import { findRows } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { showCampaigns } from './show.ts';

/** The organization's campaigns, newest first (contract 11.5). */
export async function listCampaigns({
  ctx,
  deps,
  input: { logs },
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'campaignCounts'>;
  input: { logs: number };
}): Promise<CampaignList> {
  const rows = await findRows(
    ctx.db,
    campaigns,
    { organizationId: ctx.organizationId },
    { order: { createdAt: 'DESC', id: 'DESC' } },
  );
  return { campaigns: await showCampaigns(ctx, deps, { rows, logs }) };
}
