import { setTimeout as wait } from 'node:timers/promises';
import { ApiRefusal, InterruptedError, UnreachableError } from '../failures.ts';
import { ownText } from '../json.ts';
import { readRefusal } from './refusal.ts';

/**
 * The one place that talks HTTP and the one owner of retries.
 *
 * T1. Every try has a limit of time; Ctrl-C ends it and the wait before the next one. T2. What may be
 * repeated is: reads, writes with an Idempotency-Key, changes with If-Match. Of anything else only what was
 *     refused before it began (429). T3. `Retry-After` is obeyed up to a minute; longer waits are left to the
 *     caller. Without it waits double, with jitter. T4. The key goes to the configured address only:
 *     redirects are not followed.
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
  /** Without a slash at the end. */
  url: string;
  apiKey: string;
  userAgent: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told of each wait before a further try. */
  onWait: (reason: string, delayMs: number) => void;
}

const maxTries = 4;
const firstDelayMs = 500;
const maxRetryAfterMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** What one try came to. `retryAfterMs` null = nothing was said about it. */
type Outcome =
  | { kind: 'answer'; answer: WireAnswer }
  | { kind: 'refused'; refusal: ApiRefusal; retryAfterMs: number | null }
  | { kind: 'silent'; error: UnreachableError };

export function createTransport(options: TransportOptions): Transport {
  return {
    async send(request) {
      for (let number = 1; ; number += 1) {
        const outcome = await tryOnce(options, request);
        if (outcome.kind === 'answer') return outcome.answer;
        const failure = outcome.kind === 'refused' ? outcome.refusal : outcome.error;
        const delayMs = number < maxTries ? delayBeforeNext(outcome, request, number) : null;
        if (delayMs === null) throw failure;
        options.onWait(failure.message, delayMs);
        await wait(delayMs, undefined, { signal: options.signal }).catch(() => {
          throw new InterruptedError();
        });
      }
    },
  };
}

/** Null = there is no next try. */
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

async function tryOnce(options: TransportOptions, request: WireRequest): Promise<Outcome> {
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
      error: silence(options.url, late.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error)),
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
      `${url} leads elsewhere (${headers.get('location') ?? status})`,
      'Use the final address: a key is not sent on.',
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
      `${url} answered something that is no JSON`,
      'Is this the address of the API? It is the one before /api/v1.',
    );
  }
}

function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const silence = (url: string, reason: string) =>
  new UnreachableError(
    `${url} does not answer: ${reason}`,
    'Is it running, and is the address right? --url, PARLANCE_URL or `parlance login` set it.',
  );

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = ownText(cause, 'code');
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
