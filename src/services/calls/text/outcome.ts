import {
  ConflictError,
  InvariantError,
  NotFoundError,
  PreconditionError,
  ProviderError,
  UnavailableError,
} from '../../../domain/errors.ts';
import type { SessionOutcome } from '../../../temporal/port.ts';

/**
 * Returns when the request was answered. Throws any other outcome as an error with the status of contract
 * 6.10.
 */
export function requireAnswered(outcome: SessionOutcome, expectedRevision: number): void {
  switch (outcome.kind) {
    case 'answered':
      return;
    case 'conflict':
      throw revisionConflict(expectedRevision, outcome.actualRevision);
    case 'closed':
      throw sessionClosed();
    case 'slow':
      throw new UnavailableError('The conversation did not answer in time; send the same request again', {
        dependency: 'temporal',
      });
    case 'failed':
      if (outcome.code === 'not_found') throw new NotFoundError('Text chat turn not found');
      throw outcome.code === 'provider' || outcome.code === 'limit'
        ? modelFailed()
        : new InvariantError('The turn failed', {
            detail: 'The turn failed; the session is unchanged',
            status: 500,
            cause: new Error(outcome.message),
          });
  }
}

/** 400 (contract 6.10). */
export function sessionClosed(): PreconditionError {
  return new PreconditionError('The text chat session has ended', { status: 400 });
}

/** 500; the session stays usable (contract 6.10). */
export function modelFailed(): ProviderError {
  return new ProviderError('The language model failed; the session is unchanged', {
    provider: 'llm',
    retryable: true,
    status: 500,
  });
}

/** 409 with both revisions (contract 0.3). */
function revisionConflict(expected: number, actual: number): ConflictError {
  const message = 'The session was changed in the meantime';
  return new ConflictError(message, {
    detail: { message, expected_revision: expected, actual_revision: actual },
  });
}
