import type { CampaignProgress } from '../../contract/campaigns.ts';
import { rulesOf } from '../../domain/campaign/rules.ts';
import type { ServiceContext } from '../context.ts';
import { readPolicy } from '../dialing/index.ts';
import type { CampaignDeps } from './deps.ts';
import { findCampaign } from './internal.ts';
import { toProgress } from './mapper.ts';

/** How far a campaign is (contract 11.5). Throws NotFoundError. */
export async function getCampaignProgress({ ctx, deps: { campaignCounts }, input }: { ctx: ServiceContext; deps: Pick<CampaignDeps, 'campaignCounts'>; input: { id: number } }): Promise<CampaignProgress> {
  const row = await findCampaign(ctx.db.manager, ctx, input.id);
  const counts = (await campaignCounts.states([row])).get(row.id) ?? { queued: 0, waiting: 0, processing: 0, processed: 0, failed: 0 };
  const { startsPerSecond, organizationStartsPerSecond } = rulesOf(row.settings, await readPolicy(ctx.db.manager, ctx.organizationId));
  return toProgress({ row, counts, outcomes: await campaignCounts.outcomes(row), startsPerSecond: Math.min(startsPerSecond ?? organizationStartsPerSecond, organizationStartsPerSecond) });
}
