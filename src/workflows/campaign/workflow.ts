import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CampaignActivities, Paced } from '../../activities/campaign.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { activitiesOf } from '../proxies.ts';
import { Display } from './display.ts';
import { campaignStateQuery, wakeCampaignSignal, type CampaignInput } from './messages.ts';

/** How a campaign ended; the result of its Workflow. */
export interface CampaignResult {
  state: Paced['state'];
}

/** Pause after a `paceCampaign` that failed. */
const afterFaultMs = 15_000;

/**
 * Paces one campaign: `paceCampaign` claims rows and starts their calls for a while
 * (src/services/campaigns/pacing), then this Workflow sleeps until the next known time or until someone
 * changes the campaign. Rows, rules and counts are in MySQL, and calls do not report their ends here. So a
 * run's history grows only with time, whatever the number of rows, and the activity can be repeated: claimed
 * rows stay claimed.
 *
 * Changes of the campaign are written first and signaled afterwards. The Workflow ends with the campaign; it
 * waits while the campaign is paused.
 */
export async function campaignWorkflow(input: CampaignInput): Promise<CampaignResult> {
  const display = new Display();
  let isWoken = false;
  let last: Paced | null = null;
  setHandler(wakeCampaignSignal, () => {
    isWoken = true;
  });
  setHandler(campaignStateQuery, () => last);

  for (let count = 1; ; count += 1) {
    isWoken = false;
    const paced = await paceOnce(input, display);
    last = paced ?? last;
    // guarantee: failed-round-waits-at-most-5-s
    if (paced === null) await condition(() => isWoken, afterFaultMs, { summary: 'Wait after a fault' });
    // A signal that came meanwhile may have changed a campaign that was over.
    if (last?.kind === 'over' && !isWoken) return { state: last.state };
    if (
      workflowInfo().continueAsNewSuggested ||
      count >= (input.activitiesPerRun ?? Number.POSITIVE_INFINITY)
    )
      // guarantee: campaign-continues-as-new
      return await continueAsNew<typeof campaignWorkflow>(input);
    if (paced !== null && paced.sleepMs > 0)
      await condition(() => isWoken, paced.sleepMs, { summary: paced.reason ?? 'Wait' });
  }
}

/** Null if it failed for good. An unavailable MySQL is not such a failure; the activity is retried. */
async function paceOnce(
  { campaignId, organizationId, paceMs = timeoutsMs.campaignPacing }: CampaignInput,
  display: Display,
): Promise<Paced | null> {
  const { paceCampaign } = activitiesOf<CampaignActivities>('pace', 'Dial what is due');
  try {
    const paced = await paceCampaign({ campaignId, organizationId, paceMs });
    display.show(paced);
    return paced;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    display.failed(
      error.cause instanceof ApplicationFailure ? (error.cause.type ?? 'unexpected') : 'unexpected',
    );
    return null;
  }
}
