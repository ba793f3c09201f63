import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/retention.ts';
import { activitiesOf } from '../proxies.ts';

export interface RetentionInput {
  /** Set by continue-as-new only. */
  afterOrganizationId?: number;
  calls?: number;
}

/**
 * Calls that something was removed from, those of a transcript and those of values added up; the result of
 * one pass.
 */
export interface RetentionResult {
  calls: number;
}

/** Pages of one run of this Workflow. */
const maxPages = 100;

/**
 * Removes what is past the age that its organization has set. One pass over all organizations with a policy;
 * a Temporal Schedule (temporal.yaml) starts it every day, never two at once.
 */
export async function retentionWorkflow(input: RetentionInput = {}): Promise<RetentionResult> {
  let { afterOrganizationId = 0, calls = 0 } = input;
  for (let page = 0; page < maxPages; page += 1) {
    const { applyRetention } = activitiesOf<RetentionActivities>('sweep', 'Remove what is past its age');
    const outcome = await applyRetention({ afterOrganizationId });
    if (outcome === null) return { calls };
    calls += outcome.calls;
    if (outcome.isDone) afterOrganizationId = outcome.organizationId;
    setCurrentDetails(`Something was removed from **${calls} calls** so far.`);
  }
  return await continueAsNew<typeof retentionWorkflow>({ afterOrganizationId, calls });
}
