import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from './deps.ts';
import { runInputOf } from './run-input.ts';

/**
 * Tells the pacer that the campaign's row has changed, after the change is committed. One that is gone is
 * started again where there is work for it. With Temporal away nothing is lost: the row is what counts, and a
 * pacer looks at it again by itself within a minute of its sleep. Answers that it is away.
 */
export async function wakeCampaign(
  ctx: ServiceContext,
  { campaignRuns }: Pick<CampaignDeps, 'campaignRuns'>,
  campaign: CampaignRow,
): Promise<'away' | undefined> {
  if (campaign.state === 'created') return undefined;
  try {
    if (
      (await campaignRuns.wake(campaign.uuid)) === 'told' ||
      campaign.state === 'completed' ||
      campaign.state === 'failed'
    )
      return undefined;
    await campaignRuns.start(await runInputOf(ctx.db.manager, campaign));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign could not be woken after a change');
    return 'away';
  }
  return undefined;
}
