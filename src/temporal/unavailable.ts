import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { UnavailableError } from '../domain/errors.ts';

/** gRPC statuses that mean "Temporal could not take this now": deadline, exhausted, aborted, unavailable. */
const awayStatuses = new Set<number>([4, 8, 10, 14]);

/**
 * The server's words for a Workflow whose tasks were lost several times in a row, as by workers that keep
 * dying: the next one that lives takes it on.
 */
const notReady = /Workflow Task in failed state/;

/**
 * The only translation of Temporal being away: UnavailableError('temporal') for statuses that say so,
 * everything else as it came. A refused connection counts, whatever way the client reports it.
 */
export function translateUnavailable(error: unknown): unknown {
  return isTemporalAway(error)
    ? new UnavailableError('Temporal is not available', { dependency: 'temporal', cause: error })
    : error;
}

/** True when the error, or what caused it, says that Temporal was not reached or did not answer in time. */
export function isTemporalAway(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth += 1) {
    if (each instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
    // Of an update-with-start the client puts the server's words into the message and leaves `details` as
    // they were.
    if (isGrpcServiceError(each)) return awayStatuses.has(each.code) || notReady.test(each.message);
    if (!(each instanceof ServiceError) && each.cause === undefined)
      return /failed to connect|connection (refused|dropped)|ECONNREFUSED/i.test(each.message);
  }
  return false;
}
