import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { turnName } from './details.ts';

/**
 * Failures of Updates. Clients decide by `type` (src/temporal/call-starter.ts); people read the message in
 * Temporal UI.
 */

/** Another Update changed the call first. */
export function conflict(expectedRevision: number, actualRevision: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'conflict',
    message: `conflict: the sender saw revision ${expectedRevision}, the call is at ${actualRevision}; nothing was changed`,
    nonRetryable: true,
    details: [{ expectedRevision, actualRevision }],
  });
}

/** The call is over, or was never admitted. */
export function closed(state: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'precondition',
    message: `precondition: the call is ${state} and accepts no messages`,
    nonRetryable: true,
  });
}

/** A rewind to a turn that is not in the conversation. */
export function unknownTurn(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'not_found',
    message: 'not_found: no such turn in the current conversation; nothing was changed',
    nonRetryable: true,
  });
}

/** A move to a node that the call's version does not have. */
export function unknownNode(nodeId: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'not_found',
    message: `not_found: the call has no node ${nodeId}; nothing was changed`,
    nonRetryable: true,
  });
}

/** The failed activity of a turn, with a message that is clear without its cause. */
export function turnFailure(turnIndex: number, nodeName: string, error: unknown): ApplicationFailure {
  const { type, message } = rootOf(error);
  return ApplicationFailure.create({
    type,
    message: `${turnName(turnIndex)} failed at ${nodeName}: ${message}; nothing was changed`,
    nonRetryable: true,
    details: [{ turnIndex }],
  });
}

/** A fault that ends the Workflow itself: a bug or a missing row. */
export function callFailure(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { type, message } = rootOf(error);
  return ApplicationFailure.create({
    type,
    message: `${error.activityType} failed: ${message}`,
    nonRetryable: true,
    cause: error,
  });
}

/** Type and message of the root cause of an activity's failure. */
export function rootOf(error: unknown): { type: string; message: string } {
  if (isCancellation(error)) return { type: 'precondition', message: 'precondition: the call was cancelled' };
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure)
    return { type: cause.type ?? 'unexpected', message: cause.message };
  if (cause instanceof TimeoutFailure)
    return { type: 'provider', message: `provider: no result in time (${cause.timeoutType})` };
  return { type: 'unexpected', message: cause instanceof Error ? cause.message : 'unexpected failure' };
}

/** True when a cancellation of the whole call caused the error. */
export function isCancelledCall(error: unknown): boolean {
  return error instanceof CancelledFailure || isCancellation(error);
}
