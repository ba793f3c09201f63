import type { CustomerStreamPort } from '../http/port.ts';
import { llmError } from './failures.ts';

/** Of one answer; the longest ones are a few hundred kilobytes of events. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** The request's own clock fires first. */
const longestMs = 10 * 60_000;
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for vendors' SDKs over the guarded client: an address that customers may not reach is refused
 * before anything is sent. Throws ProviderError, not retryable when it was refused. An answer that is too
 * long is the part that came: readers of a stream see that its end is missing.
 */
export function createGuardedFetch(http: CustomerStreamPort): typeof fetch {
  return async (input, init = {}) => {
    if (typeof input !== 'string') throw new TypeError('Only an address can be asked');
    const signal = init.signal ?? new AbortController().signal;
    const outcome = await http.open({
      method: init.method ?? 'GET',
      url: input,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: bodyOf(init),
      timeoutMs: longestMs,
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
  if (body !== null && typeof body !== 'string') throw new TypeError('Only text can be sent');
  return body;
}
