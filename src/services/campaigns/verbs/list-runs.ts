import type { CampaignRunPage } from '../../../contract/campaigns.ts';
import { listCalls, type ListCallsInput } from '../../calls/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findCampaign } from './internal.ts';

/** One page of a campaign's calls (contract 6.2). Throws NotFoundError that names the id. */
export async function listCampaignRuns({
  ctx,
  publicUrl,
  input: { id, ...page },
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: Omit<ListCallsInput, 'agentId' | 'campaignId'> & { id: number };
}): Promise<CampaignRunPage> {
  const { id: campaignId } = await findCampaign(ctx.db.manager, ctx, id, {
    words: `Campaign ${id} not found`,
  });
  const {
    runs,
    total_count,
    page: number,
    limit,
    total_pages,
  } = await listCalls({ ctx, publicUrl, input: { ...page, campaignId } });
  return { runs, total_count, page: number, limit, total_pages };
}
