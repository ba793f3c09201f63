import type { Campaign } from '../../../contract/campaigns.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { changeCampaign, lockCampaign, requireState } from './internal.ts';
import { appendDeed } from '../records/log.ts';
import { showCampaign } from './show.ts';
import { wakeCampaign } from '../records/wake.ts';

/**
 * Pauses a campaign (contract 11.5). After the commit, no row is claimed, and claimed rows that have not been
 * dialed are not dialed. Live calls are not ended. The campaign is paused even if Temporal cannot be
 * notified. Throws NotFoundError, PreconditionError (400) in another state.
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
      await appendDeed(tx, ctx, {
        campaign,
        entry: {
          event: 'campaign_paused',
          message: 'The campaign was paused',
        },
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
