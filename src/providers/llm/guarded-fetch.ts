import type { CustomerStreamPort } from '../http/port.ts';
import { llmError } from './failures.ts';

/** Maximum size of one answer; the longest ones have a few hundred kilobytes of events. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** The clock of the request fires before this. */
const maxMs = 10 * 60_000;
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for vendors' SDKs over the guarded client, which refuses URLs that customers may not reach before
 * anything is sent. Throws ProviderError; a refusal is not retryable. An answer over the limit is truncated,
 * and readers of the stream see that its end is missing.
 */
export function createGuardedFetch(http: CustomerStreamPort): typeof fetch {
  return async (input, init = {}) => {
    if (typeof input !== 'string') throw new TypeError('The input must be a URL string');
    const signal = init.signal ?? new AbortController().signal;
    const outcome = await http.open({
      method: init.method ?? 'GET',
      url: input,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: bodyOf(init),
      timeoutMs: maxMs,
      maxResponseBytes: maxAnswerBytes,
      signal,
    });
    signal.throwIfAborted();
    if (outcome.kind === 'refused')
      throw llmError(`The endpoint of the language model is not allowed: ${outcome.message}`, false, {
        reason: 'client_error',
      });
    if (outcome.kind === 'failed')
      throw llmError('The language model could not be reached', true, { reason: 'unreachable' });
    const { statusCode: status, headers, body } = outcome;
    if (!withoutBody.has(status))
      return new Response(ReadableStream.from(body), { status, headers: { ...headers } });
    await body.return(undefined);
    return new Response(null, { status, headers: { ...headers } });
  };
}

/** SDKs send text. */
function bodyOf(init: RequestInit): string | null {
  const body = init.body ?? null;
  if (body !== null && typeof body !== 'string') throw new TypeError('The body must be text');
  return body;
}
