import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { UnavailableError } from '../domain/errors.ts';

/** gRPC statuses for a temporarily unavailable Temporal: deadline, exhausted, aborted, unavailable. */
const unavailableStatuses = new Set<number>([4, 8, 10, 14]);

/**
 * The server's message for a Workflow whose tasks failed several times in a row, for example while workers
 * crash; the next healthy worker continues it.
 */
const notReady = /Workflow Task in failed state/;

/**
 * The only place that translates errors of an unavailable Temporal, into UnavailableError('temporal'). Other
 * errors stay unchanged. A refused connection counts, in every form in which the client reports it.
 */
export function translateUnavailable(error: unknown): unknown {
  return isTemporalUnavailable(error)
    ? new UnavailableError('Temporal is not available', { dependency: 'temporal', cause: error })
    : error;
}

/** True when the error or one of its causes says that Temporal was not reached or did not answer in time. */
export function isTemporalUnavailable(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth += 1) {
    if (each instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
    // For an update-with-start the client puts the server's text into the message and leaves `details`
    // unchanged.
    if (isGrpcServiceError(each)) return unavailableStatuses.has(each.code) || notReady.test(each.message);
    if (!(each instanceof ServiceError) && each.cause === undefined)
      return /failed to connect|connection (refused|dropped)|ECONNREFUSED/i.test(each.message);
  }
  return false;
}
