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

/** Pause after a step that could not be made at all. */
const afterFaultMs = 15_000;

/**
 * Paces one campaign: a step leases rows and starts their calls for a while (src/services/campaign-pace),
 * then this sleeps until the next moment that matters, or until somebody changes the campaign. Rows, rules
 * and counts are in MySQL; ends of calls are not told here. So a run's history grows with time alone,
 * whatever the number of rows, and any step may be made again: what was leased is leased.
 *
 * Whoever changes the campaign writes it down first and signals then. It ends when the campaign has; one that
 * is paused waits.
 */
export async function campaignWorkflow(input: CampaignInput): Promise<CampaignResult> {
  const display = new Display();
  let isWoken = false;
  let last: Paced | null = null;
  setHandler(wakeCampaignSignal, () => {
    isWoken = true;
  });
  setHandler(campaignStateQuery, () => last);

  for (let steps = 1; ; steps += 1) {
    isWoken = false;
    const paced = await step(input, display);
    last = paced ?? last;
    // guarantee: failed-round-waits-at-most-5-s
    if (paced === null) await condition(() => isWoken, afterFaultMs, { summary: 'Wait after a fault' });
    // A signal that came meanwhile may have changed what was over.
    if (last?.kind === 'over' && !isWoken) return { state: last.state };
    if (workflowInfo().continueAsNewSuggested || steps >= (input.stepsPerRun ?? Number.POSITIVE_INFINITY))
      // guarantee: campaign-continues-as-new
      return await continueAsNew<typeof campaignWorkflow>(input);
    if (paced !== null && paced.sleepMs > 0)
      await condition(() => isWoken, paced.sleepMs, { summary: paced.reason ?? 'Wait' });
  }
}

/** Null when it failed for good: MySQL being away is no failure, it is waited for. */
async function step(
  { campaignId, organizationId, paceMs = timeoutsMs.campaignStep }: CampaignInput,
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
