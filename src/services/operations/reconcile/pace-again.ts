import { findRow } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { appendAudit, write } from '../../kernel/index.ts';
import { appendCampaignLog, runInputOf } from '../../campaigns/index.ts';
import type { ReconcileDeps } from './deps.ts';
import type { UnpacedCampaign } from './find-unpaced-campaigns.ts';
import { reconcilerOf } from './internal.ts';

/**
 * Starts the Workflow that paces a campaign again, and records that it had stopped. The single Workflow Id
 * prevents a second one if a user or an earlier attempt was faster. Answers whether it was started. Throws
 * UnavailableError.
 */
export async function paceAgain({
  deps,
  input: { campaignId: id, organizationId },
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'ids' | 'log' | 'secrets' | 'executions' | 'campaignRuns'>;
  input: UnpacedCampaign;
}): Promise<boolean> {
  const campaign = await findRow(deps.db.manager, campaigns, { id, organizationId });
  if (campaign === null || campaign.state === 'created' || campaign.state === 'completed') return false;
  if ((await deps.executions.campaignState(campaign.uuid)) === 'running') return false;
  // guarantee: terminated-campaign-paced-again
  await deps.campaignRuns.start(await runInputOf(deps.db.manager, campaign));
  await write(reconcilerOf(deps, organizationId), async (tx) => {
    await appendCampaignLog(tx, campaign, {
      clock: deps.clock,
      level: 'warning',
      event: 'campaign_paced_again',
      message: 'The pacer of the campaign had been stopped from outside; it was started again',
    });
    await appendAudit(tx, {
      action: 'campaign.paced_again',
      subjectKind: 'campaign',
      subjectId: id,
      changes: { state: campaign.state },
    });
  });
  return true;
}
