import { isCancellation, sleep } from '@temporalio/workflow';
import type { CallActivities } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import type { CallInput } from './messages.ts';

/**
 * What comes once between admission and the opening: the wait and the customer's own values, side by side.
 */
export async function prepareOpening(input: CallInput): Promise<void> {
  await Promise.all([waitFirst(input), fetchFirst(input)]);
}

async function waitFirst({ delayedStartMs = 0 }: CallInput): Promise<void> {
  if (delayedStartMs > 0)
    await sleep(delayedStartMs, { summary: `Wait ${delayedStartMs / 1000} s before the opening` });
}

/** One attempt (contract 10); a call never fails by it. */
export async function fetchFirst({
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
