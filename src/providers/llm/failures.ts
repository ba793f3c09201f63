import { APIConnectionError, APIError } from 'openai';
import { readRetryAfter } from '../../domain/delivery/retry-after.ts';
import { ProviderError, type ProviderFailureReason, type SpentTokens } from '../../domain/errors.ts';
import type { LlmStage, StageClock } from './stage-clock.ts';

/**
 * Translates errors of `openai` and the network to ProviderError. Messages consist of fixed text, a status
 * and a code. Server messages may quote the conversation or a key, so they are only in `cause`, and for a
 * refused key nowhere.
 */
export function toProviderError(error: unknown, clock: StageClock, caller: AbortSignal): unknown {
  if (caller.aborted)
    return llmError('The request to the language model was aborted', false, {
      reason: 'aborted',
      cause: caller.reason,
    });
  if (clock.expired !== null)
    return llmError(`${timeoutTexts[clock.expired]} within ${clock.limit(clock.expired)} ms`, true, {
      reason: 'timeout',
    });
  if (error instanceof ProviderError) return error;
  if (error instanceof APIConnectionError && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof APIConnectionError)
    return llmError('The language model could not be reached', true, { reason: 'unreachable', cause: error });
  if (error instanceof APIError) return statusError(error);
  if (isNamed(error, 'SyntaxError'))
    return llmError('The language model sent an answer that cannot be read', true, {
      reason: 'unreadable',
      cause: error,
    });
  if (isNamed(error, 'TypeError') && 'cause' in error)
    return llmError('The connection to the language model was lost during the answer', true, {
      reason: 'lost',
      cause: error,
    });
  return error;
}

/** Adds to a failure what its request has cost; null means nothing. */
export function withSpent(error: unknown, spent: SpentTokens | null): unknown {
  if (!(error instanceof ProviderError) || spent === null) return error;
  const { message, provider, retryable, reason, retryAfterMs, cause } = error;
  return new ProviderError(message, {
    provider,
    retryable,
    reason,
    retryAfterMs,
    spent,
    ...(cause === undefined ? {} : { cause }),
  });
}

export function llmError(
  message: string,
  retryable: boolean,
  why: { reason: ProviderFailureReason; retryAfterMs?: number | null; cause?: unknown },
): ProviderError {
  return new ProviderError(message, { provider: 'llm', retryable, ...why });
}

const timeoutTexts: Record<LlmStage, string> = {
  connect: 'The language model did not begin to answer',
  firstToken: 'The language model sent nothing',
  stall: 'The language model stalled in the middle of its answer: it sent nothing',
  whole: 'The language model did not finish its answer',
};

function statusError(error: APIError): ProviderError {
  const code = typeof error.code === 'string' && /^[\w.-]{1,64}$/.test(error.code) ? ` (${error.code})` : '';
  if (error.status === undefined)
    return llmError(`The language model reported an error during the answer${code}`, true, {
      reason: 'server_error',
      cause: error,
    });
  if (error.status === 401 || error.status === 403)
    return llmError(`The language model refused the API key: HTTP ${error.status}${code}`, false, {
      reason: 'refused_key',
    });
  const retryable = isRetryable(error.status, error.code);
  const retryAfterMs = retryable ? retryAfterOf(error) : null;
  const asks = retryAfterMs === null ? '' : `, asking for ${retryAfterMs / 1000} s`;
  return llmError(`The language model answered with HTTP ${error.status}${code}${asks}`, retryable, {
    reason: reasonOf(error.status),
    retryAfterMs,
    cause: error,
  });
}

/** OpenAI sends the wait in milliseconds beside the standard header. */
function retryAfterOf({ headers }: APIError): number | null {
  const exact = headers?.get('retry-after-ms') ?? '';
  return /^\d{1,8}$/.test(exact) ? Number(exact) : readRetryAfter(headers?.get('retry-after'), new Date());
}

function reasonOf(status: number): ProviderFailureReason {
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server_error' : 'client_error';
}

/** An account without credit also gets a 429, and retries do not help. */
function isRetryable(status: number, code: unknown): boolean {
  return (
    code !== 'insufficient_quota' && (status === 408 || status === 409 || status === 429 || status >= 500)
  );
}

/** Compares the name, because errors of `fetch` may come from another realm, where `instanceof` fails. */
function isNamed(error: unknown, name: string): error is { name: string } {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}
