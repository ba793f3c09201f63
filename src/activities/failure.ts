import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { translateUnavailable } from '../services/kernel/index.ts';
import { AppError, InvariantError, LimitError, ProviderError, type ErrorCode } from '../domain/errors.ts';

/** Ids for a person who reads the failure; never personal data. */
export type FailureIds = Record<string, string | number | boolean | null>;

/** Whether a retry of the same activity may succeed. Retry policies limit how often. */
const retryableByCode: Record<ErrorCode, (error: AppError) => boolean> = {
  validation: () => false,
  unauthenticated: () => false,
  code_needed: () => false,
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
 * message is clear on its own in Temporal UI: the code and what happened. Any other error becomes
 * `unexpected` and is retried; a cancellation passes unchanged.
 */
export function toApplicationFailure(raised: unknown, ids: FailureIds = {}): Error {
  const error = translateUnavailable(raised);
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (!(error instanceof AppError)) {
    // The text of an unexpected error may hold personal data. Its name and the ids are enough to find it in
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

/** The pause that the error asks for; without one, the retry policy decides. */
function nextRetryDelayOf(error: AppError): { nextRetryDelay?: number } {
  const retryAfterMs =
    error instanceof LimitError || error instanceof ProviderError ? error.retryAfterMs : null;
  return retryAfterMs === null || retryAfterMs === 0 ? {} : { nextRetryDelay: retryAfterMs };
}

/** Makes a failure final, because the activity has reached its maximum number of failures. */
export function lastFailure(failure: Error, failures: number): Error {
  if (!(failure instanceof ApplicationFailure) || failure.nonRetryable) return failure;
  return ApplicationFailure.create({
    type: failure.type ?? 'unexpected',
    message: `${failure.message} (${failures === 1 ? '1 failure' : `${failures} failures`}, given up)`,
    nonRetryable: true,
    details: failure.details ?? [],
  });
}
