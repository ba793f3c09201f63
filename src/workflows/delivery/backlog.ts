import {
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { DrainActivities } from '../../activities/drain.ts';
import { deliveryWorkflowId } from '../../domain/temporal-ids.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';
import { retryNowSignal, type BacklogInput, type RetryNowRequest } from './messages.ts';

/** Deliveries of one run of this Workflow. */
const maxPerRun = 200;

/** So many failures in a row say that the endpoint is not back; what still waits goes by its own schedule. */
const failuresInARow = 3;

/**
 * An endpoint that failed has accepted a delivery: those that wait for it are attempted now, oldest first,
 * the next one when the attempt before it is over. One runs per endpoint.
 */
export async function backlogWorkflow(input: BacklogInput): Promise<void> {
  let { afterId = 0, failures = 0 } = input;
  if (afterId === 0) showAttributes([keyword('OrgId', input.organizationUuid)]);
  const { organizationId } = input.backlog;
  for (let woken = 0; woken < maxPerRun; woken += 1) {
    if (failures >= failuresInARow)
      return setCurrentDetails('**The endpoint fails again**: what still waits goes by its own schedule.');
    const { takeWaiting } = activitiesOf<DrainActivities>('quick', 'Look for the next waiting delivery');
    const next = await takeWaiting({ ...input.backlog, afterId });
    if (next === null) return setCurrentDetails('**Done**: nothing waits any more.');
    afterId = next.id;
    if (!(await wake(next.deliveryUuid))) continue;
    const { awaitAttempt } = activitiesOf<DrainActivities>(
      'deliveryAttempt',
      `Wait for attempt ${next.attempt}`,
    );
    const state = await awaitAttempt({
      organizationId,
      deliveryUuid: next.deliveryUuid,
      attempt: next.attempt,
    });
    failures = state === 'succeeded' ? 0 : failures + 1;
  }
  await continueAsNew<typeof backlogWorkflow>({ ...input, afterId, failures });
}

/**
 * False when the delivery's Workflow has ended: nothing else makes Temporal refuse a signal. `request` is a
 * re-send's.
 */
export async function wake(deliveryUuid: string, request?: RetryNowRequest): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(deliveryWorkflowId(deliveryUuid)).signal(
      retryNowSignal,
      ...(request === undefined ? [] : [request]),
    );
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
