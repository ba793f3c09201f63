import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { translateUnavailable } from '../services/kernel/index.ts';
import { AppError, InvariantError, LimitError, ProviderError, type ErrorCode } from '../domain/errors.ts';

/** Ids that help a person who reads the failure; never anything that belongs to the people in a call. */
export type FailureIds = Record<string, string | number | boolean | null>;

/** Whether the same activity may succeed when it is tried again. Retry policies bound how often. */
const retryableByCode: Record<ErrorCode, (error: AppError) => boolean> = {
  validation: () => false,
  unauthenticated: () => false,
  forbidden: () => false,
  not_found: () => false,
  conflict: () => false,
  precondition: () => false,
  limit: () => true,
  provider: (error) => error instanceof ProviderError && error.retryable,
  unavailable: () => true,
  invariant: () => false,
};

/**
 * AppError → ApplicationFailure, the only translation at the Temporal boundary (docs/architecture.md,
 * "Errors"). `type` is the code (Workflows decide by it, never by text), `details[0]` holds the ids, and the
 * message reads alone in Temporal UI: code, what happened, and the chain of causes. Whatever is not of the
 * family becomes `unexpected` and is retried; cancellation passes as it is.
 */
export function toApplicationFailure(raised: unknown, ids: FailureIds = {}): Error {
  const error = translateUnavailable(raised);
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (!(error instanceof AppError)) {
    // The text of a foreign error may hold what a person said: its name and place are enough to find it in
    // the log.
    const name = error instanceof Error ? error.name : typeof error;
    return ApplicationFailure.create({
      type: 'unexpected',
      message: `unexpected: ${name} in the service; see the log of this activity`,
      details: [ids],
    });
  }
  return ApplicationFailure.create({
    type: error.code,
    message: `${error.code}: ${error.message}`,
    nonRetryable: !retryableByCode[error.code](error),
    details: [
      error instanceof ProviderError ? { ...ids, provider: error.provider, retryable: error.retryable } : ids,
    ],
    ...nextRetryDelayOf(error),
    ...(error instanceof InvariantError && error.cause instanceof Error ? { cause: error.cause } : {}),
  });
}

/** Not sooner than asked for; without it, the retry policy says when. */
function nextRetryDelayOf(error: AppError): { nextRetryDelay?: number } {
  const retryAfterMs =
    error instanceof LimitError || error instanceof ProviderError ? error.retryAfterMs : null;
  return retryAfterMs === null || retryAfterMs === 0 ? {} : { nextRetryDelay: retryAfterMs };
}

/** The same failure, made final: the activity has failed as often as it may. */
export function lastFailure(failure: Error, failures: number): Error {
  if (!(failure instanceof ApplicationFailure) || failure.nonRetryable) return failure;
  return ApplicationFailure.create({
    type: failure.type ?? 'unexpected',
    message: `${failure.message} (${failures === 1 ? '1 failure' : `${failures} failures`}, given up)`,
    nonRetryable: true,
    details: failure.details ?? [],
  });
}
