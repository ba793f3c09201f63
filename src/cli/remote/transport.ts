import { setTimeout as wait } from 'node:timers/promises';
import { ApiRefusal, InterruptedError, UnreachableError } from '../failures.ts';
import { ownText } from '../json.ts';
import { readRefusal } from './refusal.ts';

/**
 * Sends HTTP requests and retries them.
 *
 * - Every attempt has a timeout. Ctrl-C ends the attempt and the wait for the next one.
 * - It retries reads, writes with an Idempotency-Key and changes with If-Match. It retries other requests only
 *   after a 429, which means that they had no effect.
 * - It obeys `Retry-After` up to a minute. With a longer one the request fails. Otherwise it waits with
 *   exponential backoff and jitter.
 * - It does not follow redirects, so that the key is only sent to the configured URL.
 */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
}

export interface WireRequest {
  method: string;
  /** Path and query, from the root. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
  isRepeatable: boolean;
}

export interface WireAnswer {
  headers: Headers;
  body: unknown;
}

export interface TransportOptions {
  /** URL without a slash at its end. */
  url: string;
  apiKey: string;
  userAgent: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before each wait for a further attempt. */
  onWait: (reason: string, delayMs: number) => void;
}

const maxAttempts = 4;
const firstDelayMs = 500;
const maxRetryAfterMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Outcome of an attempt. `retryAfterMs` is null without `Retry-After`. */
type Outcome =
  | { kind: 'answer'; answer: WireAnswer }
  | { kind: 'refused'; refusal: ApiRefusal; retryAfterMs: number | null }
  | { kind: 'silent'; error: UnreachableError };

export function createTransport(options: TransportOptions): Transport {
  return {
    async send(request) {
      for (let number = 1; ; number += 1) {
        const outcome = await attempt(options, request);
        if (outcome.kind === 'answer') return outcome.answer;
        const failure = outcome.kind === 'refused' ? outcome.refusal : outcome.error;
        const delayMs = number < maxAttempts ? delayBeforeNext(outcome, request, number) : null;
        if (delayMs === null) throw failure;
        options.onWait(failure.message, delayMs);
        await wait(delayMs, undefined, { signal: options.signal }).catch(() => {
          throw new InterruptedError();
        });
      }
    },
  };
}

/** Returns the delay before the next attempt, or null if there is none. */
function delayBeforeNext(
  outcome: Exclude<Outcome, { kind: 'answer' }>,
  { isRepeatable }: WireRequest,
  number: number,
): number | null {
  const backoffMs = firstDelayMs * 2 ** (number - 1) * (0.75 + Math.random() / 2);
  if (outcome.kind === 'silent') return isRepeatable ? backoffMs : null;
  const { refusal, retryAfterMs } = outcome;
  const isTemporary =
    refusal.status === 429 ||
    (isRepeatable && (refusal.status === 503 || (refusal.status === 409 && retryAfterMs !== null)));
  if (!isTemporary || (retryAfterMs ?? 0) > maxRetryAfterMs) return null;
  return retryAfterMs ?? backoffMs;
}

async function attempt(options: TransportOptions, request: WireRequest): Promise<Outcome> {
  const limitMs = request.timeoutMs ?? options.timeoutMs;
  const late = AbortSignal.timeout(limitMs);
  try {
    const answer = await fetch(`${options.url}${request.path}`, {
      method: request.method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'user-agent': options.userAgent,
        'x-api-key': options.apiKey,
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any([options.signal, late]),
    });
    return await readAnswer(answer, options);
  } catch (error) {
    if (options.signal.aborted) throw new InterruptedError();
    if (error instanceof ApiRefusal || error instanceof UnreachableError) throw error;
    return {
      kind: 'silent',
      error: unreachable(
        options.url,
        late.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error),
      ),
    };
  }
}

async function readAnswer(answer: Response, { url }: TransportOptions): Promise<Outcome> {
  if (Number(answer.headers.get('content-length') ?? 0) > maxAnswerBytes)
    throw new UnreachableError(`${url} answered more than ${maxAnswerBytes / 1024 / 1024} MB`);
  const text = await answer.text();
  const { status, headers } = answer;
  if (status >= 300 && status < 400)
    throw new UnreachableError(
      `${url} redirects to ${headers.get('location') ?? status}`,
      'Use the final URL: the key is not sent to redirects.',
    );
  if (!answer.ok)
    return {
      kind: 'refused',
      refusal: readRefusal({ status, headers, text }),
      retryAfterMs: retryAfterMs(headers),
    };
  try {
    return { kind: 'answer', answer: { headers, body: text === '' ? undefined : JSON.parse(text) } };
  } catch {
    throw new UnreachableError(
      `${url} did not answer with JSON`,
      'Check that this is the URL of the API, without /api/v1.',
    );
  }
}

function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const unreachable = (url: string, reason: string) =>
  new UnreachableError(
    `${url} does not answer: ${reason}`,
    'Check that the service runs and that the URL is right. --url, PARLANCE_URL or `parlance login` set it.',
  );

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = ownText(cause, 'code');
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
