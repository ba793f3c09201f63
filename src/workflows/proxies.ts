import { proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import { timeoutsMs } from '../domain/declaration.ts';

/**
 * Retry classes. A Workflow names the class, never a number. What may be retried is said by the failure
 * itself (src/activities/failure.ts); the class says how patiently. A worker that died is noticed by
 * `heartbeatTimeout` where an activity is long, by `startToCloseTimeout` where it is short.
 */

/**
 * One short transaction in MySQL. Tried until it succeeds: a call must not be lost because MySQL was away for
 * an hour, and every such activity is idempotent.
 */
const quick: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.quickStartToClose,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 5000 },
};

/**
 * One reply of the model, while a person waits. The death of a worker and an absent MySQL cost no attempt; a
 * failing provider ends it at the third failure, which the activity counts itself
 * (src/activities/attempts.ts), because Temporal's own count cannot tell the two apart. Pauses are short:
 * somebody is waiting.
 */
const turn: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.turnStartToClose,
  heartbeatTimeout: timeoutsMs.turnHeartbeat,
  retry: { initialInterval: 150, backoffCoefficient: 2, maximumInterval: 2000 },
};

/**
 * One extraction, beside the conversation: nobody waits, so pauses are longer; providers get the same three
 * failures.
 */
const extraction: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.extractionStartToClose,
  heartbeatTimeout: timeoutsMs.extractionHeartbeat,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};

/**
 * One HTTP request to a customer. The schedule of attempts is the Workflow's (durable timers over three
 * days), so what fails there is a result; retries here are only for our own faults: a dead worker, an absent
 * MySQL.
 */
const deliveryAttempt: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.deliveryAttemptStartToClose,
  heartbeatTimeout: timeoutsMs.deliveryAttemptHeartbeat,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/** One request to a customer before a call: one attempt (contract 10), whatever becomes of it. */
const once: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.preCallFetchStartToClose,
  retry: { maximumAttempts: 1 },
};

/** One page of a pass over many rows, with a question to Temporal about each. Nobody waits. */
const sweep: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.sweepStartToClose,
  heartbeatTimeout: timeoutsMs.sweepHeartbeat,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/**
 * A summary, beside the conversation: one attempt, because the next move to another node makes the next one.
 */
const summary: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.summaryStartToClose,
  retry: { maximumAttempts: 1 },
};

/**
 * One QA node's judgment of an ended call. Webhooks wait for it: a failing provider ends it at the third
 * failure, and it is given up after a fixed time whatever it waits for, a dead worker and an absent MySQL
 * included.
 */
const judgment: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.judgmentStartToClose,
  heartbeatTimeout: timeoutsMs.judgmentHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.judgmentScheduleToClose,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};

/**
 * A place at a media host, on the shared queue or on a host's own. Nobody there within seconds is an answer:
 * the Workflow asks again, elsewhere.
 */
const seat: ActivityOptions = {
  scheduleToStartTimeout: timeoutsMs.seatScheduleToStart,
  startToCloseTimeout: timeoutsMs.seatStartToClose,
  cancellationType: 'ABANDON',
  retry: { maximumAttempts: 1 },
};

/**
 * One spoken step on a host's own queue. A host that is lost is never asked again: the Workflow places the
 * call elsewhere, where the step goes on. Nobody waits for a host to confirm that it was canceled; one that
 * lives learns it with its next heartbeat.
 */
const speak: ActivityOptions = {
  scheduleToStartTimeout: timeoutsMs.speakScheduleToStart,
  heartbeatTimeout: timeoutsMs.speakHeartbeat,
  startToCloseTimeout: timeoutsMs.speakStartToClose,
  cancellationType: 'TRY_CANCEL',
  retry: { maximumAttempts: 1 },
};

/**
 * One command to a carrier, and what a dead worker or a lost answer leaves open is the Workflow's to look
 * into.
 */
const carrierOnce: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  retry: { maximumAttempts: 1 },
};

/** A command that is harmless when it comes twice, while a person waits for what it does. */
const carrier: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  retry: { initialInterval: 250, backoffCoefficient: 2, maximumInterval: 1000, maximumAttempts: 4 },
};

/**
 * A line that stays open costs money and may hold a person: patient, but not for ever, because the carrier
 * has a limit of its own.
 */
const hangUp: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.carrierCommandStartToClose,
  scheduleToCloseTimeout: timeoutsMs.carrierHangUp,
  retry: { initialInterval: 250, backoffCoefficient: 2, maximumInterval: 5000 },
};

/**
 * The files of a call's recording. Webhooks wait for it: given up after a fixed time, whatever it waits for.
 */
const recording: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.recordingStartToClose,
  heartbeatTimeout: timeoutsMs.recordingHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.recordingScheduleToClose,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 5000 },
};

/**
 * One pass over a contact file, which begins anew when its worker dies. Somebody may look on, and nobody
 * waits for it.
 */
const fileImport: ActivityOptions = {
  startToCloseTimeout: timeoutsMs.importStartToClose,
  // guarantee: worker-dies-while-stores
  heartbeatTimeout: timeoutsMs.importHeartbeat,
  scheduleToCloseTimeout: timeoutsMs.importScheduleToClose,
  // Rows are removed before the Workflow goes on: nobody writes them any more then.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/**
 * One step of a campaign, which dials for a while. Another worker goes on soon after one died, and soon after
 * MySQL is back.
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
  turn,
  extraction,
  judgment,
  recording,
  fileImport,
  deliveryAttempt,
};

export type RetryClass = keyof typeof retryClasses;

/**
 * Activities of one retry class. `summary` is what Temporal UI shows on the timeline (at most 200 bytes,
 * nothing about a person, no word of the conversation).
 */
export function activitiesOf<A>(
  retryClass: RetryClass,
  summary: string,
  options: ActivityOptions = {},
): ReturnType<typeof proxyActivities<A>> {
  return proxyActivities<A>({ ...retryClasses[retryClass], summary, ...options });
}
