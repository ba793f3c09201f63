import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery.ts';
import { delayBeforeAttempt, deliveryScheduleMs } from '../../domain/delivery/schedule.ts';
import { backlogWorkflowId } from '../../domain/temporal-ids.ts';
import { activitiesOf } from '../proxies.ts';
import { startOnce } from '../start-once.ts';
import { backlogWorkflow } from './backlog.ts';
import {
  backlogSummary,
  deliveryStateQuery,
  retryNowSignal,
  type BacklogInput,
  type DeliveryInput,
  type FailedFirstAttempt,
  type DeliveryResult,
} from './messages.ts';
import { createDisplay, type Display } from './display.ts';

/**
 * Delivers one webhook: attempts by the schedule of contract 9.4, each wait a durable timer. The pump makes
 * the first attempt of a new delivery; this Workflow alone retries after HTTP outcomes, which are values. The
 * activities' own retries cover lost workers and an unavailable MySQL.
 * - The row stays `pending` as long as this Workflow runs: every end (an answer, the last attempt, a
 *   cancellation, an internal fault) first writes `succeeded` or `dead_letter`.
 * - An attempt number is sent again only when a worker died before it recorded the outcome, with the same
 *   id and the same bytes.
 * - An accepted resend is always made: Temporal refuses to complete a run that has not seen every signal,
 *   and a run that has seen a signal for a later attempt continues in a fresh run. A cancellation cancels
 *   earlier requests.
 */
export async function deliveryWorkflow(input: DeliveryInput): Promise<DeliveryResult> {
  const schedule = input.schedule ?? deliveryScheduleMs;
  const first = input.startedAttempt ?? 1;
  const display = createDisplay({ input, first, last: first + schedule.length - 1 });
  const asked: Asked = { now: false, attempt: 0, made: input.continues === undefined ? first - 1 : first };
  setHandler(deliveryStateQuery, () => display.state());
  setHandler(retryNowSignal, (request) => {
    asked.now = true;
    asked.attempt = Math.max(asked.attempt, request?.attempt ?? 0);
  });
  CancellationScope.current().cancelRequested.catch(() => {
    asked.attempt = 0;
  });

  try {
    const result = await deliver({ input, schedule, first, display, asked });
    return isLeftOver(asked) ? await sendAgain(input, asked.attempt) : result;
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const reason = isCancellation(error)
      ? 'canceled by an operator'
      : 'given up after an internal fault; see the failure of this Workflow';
    // guarantee: dead-letter-shows-reason
    await CancellationScope.nonCancellable(() => giveUp({ input, display, reason }));
    if (isLeftOver(asked)) return await sendAgain(input, asked.attempt);
    throw error;
  }
}

/** What signals have requested. */
interface Asked {
  /** Skip the next wait. */
  now: boolean;
  /** The highest attempt that a resend requested; 0 without a resend. */
  attempt: number;
  /** The last attempt that was begun. */
  made: number;
}

const isLeftOver = ({ attempt, made }: Asked): boolean => attempt > made;

async function sendAgain(
  { schedule: _, continues: __, ...input }: DeliveryInput,
  startedAttempt: number,
): Promise<never> {
  return await continueAsNew<typeof deliveryWorkflow>({ ...input, startedAttempt, resend: true });
}

interface Delivering {
  input: DeliveryInput;
  schedule: readonly number[];
  first: number;
  display: Display;
  asked: Asked;
}

async function deliver({ input, schedule, first, display, asked }: Delivering): Promise<DeliveryResult> {
  const { continues } = input;
  if (continues !== undefined) await waitForSecond({ continues, display, asked });
  let retryAfterMs: number | null = null;
  const begin = continues === undefined ? 0 : 1;
  for (let index = begin; index < schedule.length; index += 1) {
    const delayMs =
      index === 1 && continues !== undefined
        ? 0
        : delayBeforeAttempt({ index, schedule, retryAfterMs, random: Math.random() });
    // guarantee: webhook-retried-by-durable-timer
    if (delayMs > 0) await waitForTurn({ input, display, asked, delayMs });

    asked.made = first + index;
    display.sending(first + index);
    // A cancelled attempt may have reached the receiver, so the Workflow waits for its outcome.
    const { attemptDelivery } = activitiesOf<DeliveryActivities>(
      'deliveryAttempt',
      display.attemptSummary(),
      { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED },
    );
    const reopens = input.resend === true && index === 0;
    const outcome = await attemptDelivery({
      deliveryUuid: input.deliveryUuid,
      attempt: first + index,
      ...(reopens ? { resend: true } : {}),
    });
    display.attempted(outcome);
    switch (outcome.kind) {
      case 'succeeded': {
        const result = display.finished('succeeded', null);
        if (outcome.backlog !== undefined)
          await wakeBacklog({ organizationUuid: input.organizationUuid, backlog: outcome.backlog });
        return result;
      }
      case 'dead':
        return display.finished('dead_letter', outcome.reason);
      case 'retry':
        retryAfterMs = outcome.retryAfterMs;
    }
  }
  return giveUp({ input, display, reason: `no success in ${schedule.length} attempts` });
}

/** Starts the backlog of an endpoint that works again, unless its Workflow is already running. */
async function wakeBacklog(input: BacklogInput): Promise<void> {
  await startOnce(() =>
    startChild(backlogWorkflow, {
      workflowId: backlogWorkflowId(input.backlog.endpointKey),
      parentClosePolicy: 'ABANDON',
      staticSummary: backlogSummary,
      args: [input],
    }),
  );
}

/** Waits for the second attempt, of which the row knows. A retry that was due meanwhile is made at once. */
async function waitForSecond({
  continues,
  display,
  asked,
}: Pick<Delivering, 'display' | 'asked'> & { continues: FailedFirstAttempt }): Promise<void> {
  const nextAttemptAt = new Date(continues.nextAttemptAt);
  const delayMs = Math.max(0, nextAttemptAt.getTime() - Date.now());
  display.continued(continues);
  display.waiting(nextAttemptAt, delayMs);
  // guarantee: second-attempt-by-durable-timer
  if (delayMs > 0) await condition(() => asked.now, delayMs, { summary: display.waitSummary(delayMs) });
  asked.now = false;
}

async function waitForTurn({
  input,
  display,
  asked,
  delayMs,
}: Pick<Delivering, 'input' | 'display' | 'asked'> & { delayMs: number }): Promise<void> {
  const nextAttemptAt = new Date(Date.now() + delayMs);
  const { scheduleNextAttempt } = activitiesOf<DeliveryActivities>(
    'quick',
    'Record the time of the next attempt',
  );
  display.waiting(nextAttemptAt, delayMs);
  // guarantee: waiting-delivery-shows-next-attempt
  await scheduleNextAttempt({ deliveryUuid: input.deliveryUuid, nextAttemptAt: nextAttemptAt.toISOString() });
  await condition(() => asked.now, delayMs, { summary: display.waitSummary(delayMs) });
  asked.now = false;
}

/** Ends the delivery without success; a delivery that has ended stays unchanged. */
async function giveUp({
  input,
  display,
  reason,
}: {
  input: DeliveryInput;
  display: Display;
  reason: string;
}): Promise<DeliveryResult> {
  const { giveUpDelivery } = activitiesOf<DeliveryActivities>('quick', 'Record the dead letter');
  await giveUpDelivery({ deliveryUuid: input.deliveryUuid, reason });
  return display.finished('dead_letter', reason);
}
