import { ProviderError, type ProviderFailureReason } from '../../domain/errors.ts';
import { readRetryAfter } from '../../domain/delivery/retry-after.ts';

/** Messages consist of fixed text, a status and a code. Server messages may quote speech or a key. */
export function sttError(
  message: string,
  retryable: boolean,
  why: { reason: ProviderFailureReason; retryAfterMs?: number | null; cause?: unknown },
): ProviderError {
  return new ProviderError(message, { provider: 'stt', retryable, ...why });
}

/** The server answered the WebSocket handshake with an HTTP status. */
export function refusedUpgrade(status: number, retryAfter: string | undefined): ProviderError {
  if (status === 401 || status === 403)
    return sttError(`The speech recognition refused the API key: HTTP ${status}`, false, {
      reason: 'refused_key',
    });
  const retryable = status === 408 || status === 429 || status >= 500;
  const reason = status === 429 ? 'rate_limit' : status >= 500 ? 'server_error' : 'client_error';
  return sttError(`The speech recognition answered with HTTP ${status}`, retryable, {
    reason,
    retryAfterMs: retryable ? readRetryAfter(retryAfter, new Date()) : null,
  });
}

/** The vendor's error code for a message, if it is a harmless word or number. */
export function shownCode(code: unknown): string {
  const text = typeof code === 'number' ? String(code) : code;
  return typeof text === 'string' && /^[\w.-]{1,64}$/.test(text) ? ` (${text})` : '';
}
