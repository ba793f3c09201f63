import { In, MoreThan } from 'typeorm';
import type { CampaignRowPage } from '../../contract/campaigns.ts';
import { campaignTargets } from '../../db/tables/campaign-targets.ts';
import { rulesOf } from '../../domain/campaign/rules.ts';
import type { ServiceContext } from '../context.ts';
import { readPolicy } from '../dialing/index.ts';
import { findCampaign } from './internal.ts';
import { toRowState } from './mapper.ts';

export interface ListRowsInput {
  id: number;
  state: 'queued' | 'processing' | 'processed' | 'failed' | undefined;
  /** A reason of the row's own. */
  reason: string | undefined;
  /** Rows behind this one. */
  after: number;
  limit: number;
}

/** Rows of a campaign in the order of the file, each page behind the last row of the one before. Throws NotFoundError. */
export async function listCampaignRows({ ctx, input: { id, state, reason, after, limit } }: { ctx: ServiceContext; input: ListRowsInput }): Promise<CampaignRowPage> {
  const { organizationId } = ctx;
  const campaign = await findCampaign(ctx.db.manager, ctx, id);
  const targets = await ctx.db.getRepository(campaignTargets).find({
    where: {
      campaignId: campaign.id,
      organizationId,
      rowNumber: MoreThan(after),
      ...(state === undefined ? {} : { state: state === 'queued' ? In(['queued', 'waiting']) : state }),
      ...(reason === undefined ? {} : { waitReason: reason }),
    },
    order: { rowNumber: 'ASC' },
    take: limit + 1,
  });
  const { window } = rulesOf(campaign.settings, await readPolicy(ctx.db.manager, organizationId));
  const now = ctx.clock.now();
  const shown = targets.slice(0, limit);
  return { rows: shown.map((target) => toRowState(target, { campaign, window, now })), next_after: targets.length > limit ? (shown.at(-1)?.rowNumber ?? null) : null };
}
