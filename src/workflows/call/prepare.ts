import { isCancellation, sleep } from '@temporalio/workflow';
import type { CallActivities } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import type { CallInput } from './messages.ts';

/**
 * Runs once between admission and the opening: the wait and the request for the customer's values, in
 * parallel.
 */
export async function prepareOpening(input: CallInput): Promise<void> {
  await Promise.all([waitBeforeOpening(input), fetchValues(input)]);
}

async function waitBeforeOpening({ delayedStartMs = 0 }: CallInput): Promise<void> {
  if (delayedStartMs > 0)
    await sleep(delayedStartMs, { summary: `Wait ${delayedStartMs / 1000} s before the opening` });
}

/**
 * Fetches the customer's values. There is one attempt (contract 10), and its failure never fails the call.
 */
export async function fetchValues({
  callId,
  organizationId,
  versionId,
  plan,
  fetchesBeforeCall = false,
}: CallInput): Promise<void> {
  if (!fetchesBeforeCall) return;
  const { fetchBeforeCall } = activitiesOf<CallActivities>('once', 'Fetch before the call');
  try {
    await fetchBeforeCall({ callId, organizationId, versionId, startNodeId: plan.startNodeId });
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
