import type { Campaign } from '../../../contract/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { findCampaign } from './internal.ts';
import { showCampaign } from './show.ts';

/** A campaign (contract 11.5). Throws NotFoundError. */
export async function getCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'campaignCounts'>;
  input: { id: number };
}): Promise<Campaign> {
  return await showCampaign(ctx, deps, await findCampaign(ctx.db.manager, ctx, input.id));
}
