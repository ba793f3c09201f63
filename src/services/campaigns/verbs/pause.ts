import type { Campaign } from '../../../contract/campaigns.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { changeCampaign, lockCampaign, requireState } from './internal.ts';
import { appendCampaignLog } from '../records/log.ts';
import { showCampaign } from './show.ts';
import { wakeCampaign } from '../records/wake.ts';

/**
 * Pauses a campaign (contract 11.5): from the commit on nothing is leased, and what is leased but not dialed
 * yet is not dialed; calls that go on are not ended. It is paused whether or not Temporal can be told. Throws
 * NotFoundError, PreconditionError (400) in another state.
 */
export async function pauseCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: CampaignDeps;
  input: { id: number };
}): Promise<Campaign> {
  const row = await write(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ctx, input.id);
    const make = async () => {
      requireState(campaign, ['running', 'syncing'], 'paused');
      const before = campaign.state;
      await changeCampaign(tx, campaign, { state: 'paused', waitReason: 'paused', waitUntil: null });
      await appendCampaignLog(tx, campaign, {
        clock: ctx.clock,
        event: 'campaign_paused',
        message: 'The campaign was paused',
      });
      await appendAudit(tx, {
        action: 'campaign.state_changed',
        subjectKind: 'campaign',
        subjectId: campaign.id,
        states: { before: { state: before }, after: { state: 'paused' } },
      });
      return { id: campaign.id, answer: campaign };
    };
    return await once(tx, { kind: 'campaign_paused', make, again: () => Promise.resolve(campaign) });
  });
  await wakeCampaign(ctx, deps, row);
  return await showCampaign(ctx, deps, row);
}
