import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import { timeoutsMs } from '../domain/declaration.ts';

/**
 * Retry classes. A Workflow names a class, never a number. The failure itself says whether it may be retried
 * (src/activities/failure.ts); the class says how often and how long. `heartbeatTimeout` detects a dead
 * worker in long activities, `startToCloseTimeout` in short ones.
 */

/**
 * One short transaction in MySQL. Retries continue until it succeeds: a call survives an hour without MySQL,
 * and every such activity is idempotent.
 */
const quick: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.quickStartToClose,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 5000 },
};

/**
 * One reply of the model, while a person waits. Dead workers and an unavailable MySQL do not count as
 * failures. A provider's third failure ends it; the activity counts them itself (src/activities/attempts.ts),
 * because Temporal's count cannot tell the two apart. Pauses are short.
 */
const turn: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.turnStartToClose,
  heartbeatTimeout: timeoutsMs.turnHeartbeat,
  retry: { initialInterval: 150, backoffCoefficient: 2, maximumInterval: 2000 },
};

/**
 * One extraction, in parallel with the conversation: no one waits, so pauses are longer. A provider's third
 * failure ends it, too.
 */
const extraction: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.extractionStartToClose,
  heartbeatTimeout: timeoutsMs.extractionHeartbeat,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};

/**
 * One HTTP request to a customer. The Workflow schedules the attempts (durable timers over three days), so an
 * HTTP failure is a result. The retries here cover only our own faults: a dead worker, an unavailable MySQL.
 */
const deliveryAttempt: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.deliveryAttemptStartToClose,
  heartbeatTimeout: timeoutsMs.deliveryAttemptHeartbeat,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/** One request to a customer before a call: only one attempt (contract 10). */
const once: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.preCallFetchStartToClose,
  retry: { maximumAttempts: 1 },
};

/** One page of a pass over many rows, with a request to Temporal for each. No one waits. */
const sweep: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.sweepStartToClose,
  heartbeatTimeout: timeoutsMs.sweepHeartbeat,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/** The erasure of a call. It waits for Temporal, which deletes histories in the background. */
const erasure: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.erasureStartToClose,
  heartbeatTimeout: timeoutsMs.erasureHeartbeat,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 },
};

/**
 * A summary, in parallel with the conversation: one attempt, because the next transition makes the next
 * summary.
 */
const summary: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.summaryStartToClose,
  retry: { maximumAttempts: 1 },
};

/**
 * One QA node's judgment of an ended call. Webhooks wait for it, so a provider's third failure ends it, and
 * it ends after a fixed time in any case, dead workers and an unavailable MySQL included.
 */
const judgment: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.judgmentStartToClose,
  heartbeatTimeout: timeoutsMs.judgmentHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.judgmentScheduleToClose,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};

/**
 * A seat at a media host, on the shared queue or on a host's own. When no host answers within seconds, the
 * Workflow asks another queue.
 */
const seat: ActivityOptions = {
  scheduleToStartTimeout: timeoutsMs.seatScheduleToStart,
  startToCloseTimeout: timeoutsMs.seatStartToClose,
  cancellationType: 'ABANDON',
  retry: { maximumAttempts: 1 },
};

/**
 * One spoken step on a host's own queue. A lost host is never asked again: the Workflow places the call at
 * another one, where the step continues. The Workflow does not wait for a cancellation to be confirmed; it
 * tells a live host so (`stopStep`).
 */
const speak: ActivityOptions = {
  scheduleToStartTimeout: timeoutsMs.speakScheduleToStart,
  heartbeatTimeout: timeoutsMs.speakHeartbeat,
  startToCloseTimeout: timeoutsMs.speakStartToClose,
  cancellationType: 'TRY_CANCEL',
  retry: { maximumAttempts: 1 },
};

/**
 * One command to a carrier, attempted once. The Workflow itself resolves what a dead worker or a lost answer
 * leaves unknown.
 */
const carrierOnce: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  retry: { maximumAttempts: 1 },
};

/** An idempotent command to a carrier, while a person waits for it. */
const carrier: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  retry: { initialInterval: 250, backoffCoefficient: 2, maximumInterval: 1000, maximumAttempts: 4 },
};

/**
 * Hangs up a leg. An open leg costs money and may keep a person on the phone, so it retries for long, but not
 * forever, because the carrier has a time limit of its own.
 */
const hangUp: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  scheduleToCloseTimeout: timeoutsMs.carrierHangUp,
  retry: { initialInterval: 250, backoffCoefficient: 2, maximumInterval: 5000 },
};

/** The files of a call's recording. Webhooks wait for it, so it ends after a fixed time in any case. */
const recording: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.recordingStartToClose,
  heartbeatTimeout: timeoutsMs.recordingHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.recordingScheduleToClose,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 5000 },
};

/**
 * One pass over a contact file, which starts again when its worker dies. People may watch it, but no one
 * waits for it.
 */
const fileImport: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.importStartToClose,
  // guarantee: import-resumes-after-worker-death
  heartbeatTimeout: timeoutsMs.importHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.importScheduleToClose,
  // The Workflow removes rows only after the activity has stopped writing them.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/**
 * Rounds of a campaign for a while. Another worker continues soon after one died, and soon after MySQL is
 * available again.
 */
const pace: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.paceStartToClose,
  heartbeatTimeout: timeoutsMs.paceHeartbeat,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 5000 },
};

const retryClasses = {
  pace,
  seat,
  speak,
  carrierOnce,
  carrier,
  hangUp,
  once,
  summary,
  quick,
  sweep,
  erasure,
  turn,
  extraction,
  judgment,
  recording,
  fileImport,
  deliveryAttempt,
};

export type RetryClass = keyof typeof retryClasses;

/**
 * Activities of one retry class. `summary` is what Temporal UI shows on the timeline (200 bytes at most, no
 * personal data, no text of the conversation).
 */
export function activitiesOf<A>(
  retryClass: RetryClass,
  summary: string,
  options: ActivityOptions = {},
): ReturnType<typeof proxyActivities<A>> {
  return proxyActivities<A>({ ...retryClasses[retryClass], summary, ...options });
}

/** Activities of type A, as a Workflow calls them. */
type Proxied<A> = ReturnType<typeof proxyActivities<A>>;

/**
 * Runs one `quick` activity that somebody waits for. Its first attempt is made within the Workflow task, as a local
 * activity, which saves a way through Temporal; the history shows it as a marker with the same name and summary. If it
 * fails, the activity goes on as a regular one of the class: Temporal UI shows an outage as usual, and no Workflow task
 * lasts as long as it. Only for activities on the queue of the Workflow.
 */
export async function atOnce<A, Output>(
  summary: string,
  run: (activities: Proxied<A>) => Promise<Output>,
): Promise<Output> {
  try {
    return await run(
      proxyLocalActivities<A>({
        startToCloseTimeout: timeoutsMs.localStartToClose,
        retry: { maximumAttempts: 1 },
        summary,
      }),
    );
  } catch (error) {
    if (isCancellation(error) || isFinal(error)) throw error;
    return await run(activitiesOf<A>('quick', summary));
  }
}

/** Whether no further attempt can succeed. Local activities fail without an `ActivityFailure` around the cause. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}
