import type { Campaign } from '../../../contract/campaigns.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { changeCampaign, lockCampaign, requireState } from './internal.ts';
import { appendDeed } from '../records/log.ts';
import { showCampaign } from './show.ts';
import { wakeCampaign } from '../records/wake.ts';

/**
 * Stops a campaign for good. After the commit, no row is claimed. The pacer fails waiting rows as `canceled`,
 * ends calls if requested, and completes the campaign with its last call. `hang_up` may follow `finish`; the
 * reverse changes nothing. Throws NotFoundError, PreconditionError (400) in another state.
 */
export async function stopCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: CampaignDeps;
  input: { id: number; mode: 'finish' | 'hang_up' };
}): Promise<Campaign> {
  const row = await write(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ctx, input.id);
    const make = async () => {
      requireState(campaign, ['running', 'syncing', 'paused'], 'stopped');
      if (isStoppedSo(campaign, input.mode)) return { id: campaign.id, answer: campaign };
      const before = { stop_mode: campaign.stopMode };
      await changeCampaign(tx, campaign, { stopMode: input.mode, waitReason: 'stopped', waitUntil: null });
      await appendDeed(tx, ctx, {
        campaign,
        entry: {
          event: 'campaign_stop_requested',
          message:
            input.mode === 'finish'
              ? 'The campaign is being stopped; its calls continue until they end'
              : 'The campaign is being stopped; its calls are ended',
          details: { mode: input.mode },
        },
      });
      await appendAudit(tx, {
        action: 'campaign.stopped',
        subjectKind: 'campaign',
        subjectId: campaign.id,
        changes: { mode: input.mode },
        states: { before, after: { stop_mode: input.mode } },
      });
      return { id: campaign.id, answer: campaign };
    };
    return await once(tx, { kind: 'campaign_stopped', make, again: () => Promise.resolve(campaign) });
  });
  await wakeCampaign(ctx, deps, row);
  return await showCampaign(ctx, deps, row);
}

function isStoppedSo({ stopMode }: CampaignRow, mode: 'finish' | 'hang_up'): boolean {
  return stopMode === mode || stopMode === 'hang_up';
}
