import { APIConnectionError, APIError } from 'openai';
import { readRetryAfter } from '../../domain/delivery/retry-after.ts';
import { ProviderError, type ProviderFailureReason } from '../../domain/errors.ts';

/**
 * Messages consist of fixed text, a status and a code. Server messages may quote the spoken text or a key.
 */
export function ttsError(
  message: string,
  retryable: boolean,
  why: { reason: ProviderFailureReason; retryAfterMs?: number | null; cause?: unknown },
): ProviderError {
  return new ProviderError(message, { provider: 'tts', retryable, ...why });
}

export const abortedError = (cause: unknown): ProviderError =>
  ttsError('The speech synthesis was aborted', false, { reason: 'aborted', cause });

export const noSoundError = (): ProviderError =>
  ttsError('The speech synthesis finished without a sound', true, { reason: 'unreadable' });

/** Translates errors of gRPC. */
export function fromGrpc(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const code = statusCode(error);
  const { name, retryable, reason } = grpcStatuses[code ?? 2] ?? unknownStatus;
  // Google's message about a refused key may contain the key's account.
  const cause = reason === 'refused_key' ? {} : { cause: error };
  if (code === null)
    return ttsError('The request to the speech synthesis failed', true, { reason: 'other', ...cause });
  return ttsError(`The speech synthesis answered with ${name}`, retryable, { reason, ...cause });
}

interface Meaning {
  name: string;
  retryable: boolean;
  reason: ProviderFailureReason;
}

const unknownStatus: Meaning = { name: 'UNKNOWN', retryable: true, reason: 'server_error' };

/** Meaning of gRPC's status codes. */
const grpcStatuses: Readonly<Record<number, Meaning>> = {
  1: { name: 'CANCELLED', retryable: true, reason: 'lost' },
  2: unknownStatus,
  3: { name: 'INVALID_ARGUMENT', retryable: false, reason: 'client_error' },
  4: { name: 'DEADLINE_EXCEEDED', retryable: true, reason: 'timeout' },
  5: { name: 'NOT_FOUND', retryable: false, reason: 'client_error' },
  7: { name: 'PERMISSION_DENIED', retryable: false, reason: 'refused_key' },
  8: { name: 'RESOURCE_EXHAUSTED', retryable: true, reason: 'rate_limit' },
  9: { name: 'FAILED_PRECONDITION', retryable: false, reason: 'client_error' },
  10: { name: 'ABORTED', retryable: true, reason: 'server_error' },
  11: { name: 'OUT_OF_RANGE', retryable: false, reason: 'client_error' },
  12: { name: 'UNIMPLEMENTED', retryable: false, reason: 'client_error' },
  13: { name: 'INTERNAL', retryable: true, reason: 'server_error' },
  14: { name: 'UNAVAILABLE', retryable: true, reason: 'unreachable' },
  15: { name: 'DATA_LOSS', retryable: true, reason: 'server_error' },
  16: { name: 'UNAUTHENTICATED', retryable: false, reason: 'refused_key' },
};

function statusCode(error: unknown): number | null {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'number' && code in grpcStatuses ? code : null;
}

/** Translates errors of `openai` and the network. */
export function fromOpenAi(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof APIConnectionError)
    return ttsError('The speech synthesis could not be reached', true, {
      reason: 'unreachable',
      cause: error,
    });
  if (error instanceof APIError) return statusError(error);
  return ttsError('The connection to the speech synthesis was lost in the middle of a clause', true, {
    reason: 'lost',
    cause: error,
  });
}

function statusError(error: APIError): ProviderError {
  const status = Number(error.status);
  const code = typeof error.code === 'string' && /^[\w.-]{1,64}$/.test(error.code) ? ` (${error.code})` : '';
  if (status === 401 || status === 403)
    return ttsError(`The speech synthesis refused the API key: HTTP ${status}${code}`, false, {
      reason: 'refused_key',
    });
  // An account without credit also gets a 429, and retries do not help.
  const retryable =
    error.code !== 'insufficient_quota' &&
    (status === 408 || status === 409 || status === 429 || status >= 500);
  const reason = status === 429 ? 'rate_limit' : status >= 500 ? 'server_error' : 'client_error';
  return ttsError(`The speech synthesis answered with HTTP ${status}${code}`, retryable, {
    reason,
    retryAfterMs: retryable ? readRetryAfter(error.headers?.get('retry-after'), new Date()) : null,
    cause: error,
  });
}
