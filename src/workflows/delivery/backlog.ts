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

/** Maximum number of deliveries per run of this Workflow. */
const maxPerRun = 200;

/**
 * After this many consecutive failures the endpoint counts as failing again; waiting deliveries keep their
 * own schedule.
 */
const maxConsecutiveFailures = 3;

/**
 * Empties the backlog of an endpoint that accepts deliveries again: it attempts the waiting deliveries now,
 * oldest first, one after the other. One runs per endpoint.
 */
export async function backlogWorkflow(input: BacklogInput): Promise<void> {
  let { afterId = 0, failures = 0 } = input;
  if (afterId === 0) showAttributes([keyword('OrgId', input.organizationUuid)]);
  const { organizationId } = input.backlog;
  for (let woken = 0; woken < maxPerRun; woken += 1) {
    if (failures >= maxConsecutiveFailures)
      return setCurrentDetails('**The endpoint fails again**: waiting deliveries keep their own schedule.');
    const { takeWaiting } = activitiesOf<DrainActivities>('quick', 'Look for the next waiting delivery');
    const next = await takeWaiting({ ...input.backlog, afterId });
    if (next === null) return setCurrentDetails('**Done**: no delivery is waiting.');
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
 * Wakes a delivery. False when its Workflow has ended, which is the only reason why Temporal refuses the
 * signal. `request` is set for a resend.
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
