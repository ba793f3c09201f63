import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from './deps.ts';
import { runInputOf } from './run-input.ts';

/**
 * Wakes the pacer after a committed change of the campaign's row. A Workflow that has ended is started again
 * if there is work for it. If Temporal is unavailable, nothing is lost: a sleeping pacer reads the row by
 * itself within a minute. Answers whether Temporal is unavailable.
 */
export async function wakeCampaign(
  ctx: ServiceContext,
  { campaignRuns }: Pick<CampaignDeps, 'campaignRuns'>,
  campaign: CampaignRow,
): Promise<'away' | undefined> {
  if (campaign.state === 'created') return undefined;
  try {
    if (
      (await campaignRuns.wake(campaign.uuid)) === 'delivered' ||
      campaign.state === 'completed' ||
      campaign.state === 'failed'
    )
      return undefined;
    await campaignRuns.start(await runInputOf(ctx.db.manager, campaign));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    ctx.log.warn({ campaignId: campaign.id }, 'Could not wake a campaign after a change');
    return 'away';
  }
  return undefined;
}
