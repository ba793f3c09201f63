import { counted } from '../../domain/counted.ts';
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/retention.ts';
import { activitiesOf } from '../proxies.ts';

export interface RetentionInput {
  /** Set by continue-as-new only. */
  afterOrganizationId?: number;
  calls?: number;
}

/**
 * The result of one pass: the number of removed transcripts plus the number of calls whose values were
 * removed.
 */
export interface RetentionResult {
  calls: number;
}

/** Maximum number of pages per run of this Workflow. */
const maxPages = 100;

/**
 * Removes data that is older than its organization keeps it, in one pass over all organizations with a
 * policy. A Temporal Schedule (temporal.yaml) starts it every day, never two at once.
 */
export async function retentionWorkflow(input: RetentionInput = {}): Promise<RetentionResult> {
  let { afterOrganizationId = 0, calls = 0 } = input;
  for (let page = 0; page < maxPages; page += 1) {
    const { applyRetention } = activitiesOf<RetentionActivities>('sweep', 'Remove expired data');
    const outcome = await applyRetention({ afterOrganizationId });
    if (outcome === null) return { calls };
    calls += outcome.calls;
    if (outcome.isDone) afterOrganizationId = outcome.organizationId;
    setCurrentDetails(`Removed data of **${counted(calls, 'call')}** so far.`);
  }
  return await continueAsNew<typeof retentionWorkflow>({ afterOrganizationId, calls });
}
