import type { AnswerOf, PathOf, RequestParts, Table } from '../../../src/contract/client-types.ts';
import { askClock, nowDate } from './clock.ts';
import { freshId } from './insecure.ts';
import { createRetryKeys } from './retry-keys.ts';
import { rootPath } from './root.ts';
import { session } from './session.ts';
import { t } from './words.ts';

type Method = Table['method'];

/** The answer of a successful request. */
export interface Answer<Body> {
  body: Body;
  /** Value for `ifMatch`, if the resource has one. */
  etag: string | undefined;
}

export interface RequestOptions {
  /** The `ETag` that was last read: the change is refused with 412 if somebody else was faster. */
  ifMatch?: string | undefined;
  /** Key of a POST whose repetitions are one request. Absent: made when the person acts, kept while no answer came. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Instead of that of the session. */
  token?: string;
  /** Sends it even if the person leaves the page at once. */
  outlivesPage?: boolean;
}

/** One field of a refused body. */
export interface FieldFault {
  loc: (string | number)[];
  msg: string;
}

/** A request that the API refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /** The API's word for the kind of error, if it gave one. */
  readonly code: string | null;
  /** The API's id of the request, for its operator. */
  readonly requestId: string | null;
  /** The refused fields of a 422. */
  readonly faults: readonly FieldFault[];
  /** The whole `detail` of the answer. */
  readonly detail: unknown;
  readonly retryAfterSeconds: number | null;

  constructor({ status, message, code, requestId, faults, detail, retryAfterSeconds }: ApiErrorParts) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.faults = faults;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface ApiErrorParts {
  status: number;
  message: string;
  code: string | null;
  requestId: string | null;
  faults: readonly FieldFault[];
  detail: unknown;
  retryAfterSeconds: number | null;
}

/** Where the API is. */
export const prefix = `${rootPath}/api/v1`;
const defaultTimeoutMs = 30_000;
const maxWaitSeconds = 10;

/** What the frame shows about the connection. */
export interface Connection {
  /** When the API answered last, if it cannot be reached. */
  lostAt: Date | null;
  /** A refused request that is repeated after some seconds. */
  waiting: { seconds: number; status: number } | null;
}
let connection: Connection = { lostAt: null, waiting: null };
let answeredAt = nowDate();
const watchers = new Set<() => void>();
export const connectionState = {
  get: (): Connection => connection,
  subscribe: (listener: () => void): (() => void) => {
    watchers.add(listener);
    return () => watchers.delete(listener);
  },
};
function note(change: Partial<Connection>): void {
  connection = { ...connection, ...change };
  for (const each of watchers) each();
}

const lookOutMs = 2000;
const returned = new Set<() => void>();
let isLookingOut = false;

/** Calls back whenever the API answers after it could not be reached. */
export function onReturn(listener: () => void): void {
  returned.add(listener);
}

/** After a request without an answer: asks whether the API is away, and then until it is back, on any page. */
async function lookOut(): Promise<void> {
  if (isLookingOut) return;
  isLookingOut = true;
  const isAnswering = async () =>
    await fetchOnce('get', '/health', { timeoutMs: lookOutMs }).then(
      () => true,
      () => false,
    );
  for (; !(await isAnswering()); await wait(lookOutMs))
    if (connection.lostAt === null) note({ lostAt: answeredAt });
  isLookingOut = false;
}
// A service on the same machine may still answer.
addEventListener('offline', () => void lookOut());

/** Asks for a new sign-in over the page, so that nothing on it is lost. Set by the frame. */
let signInAgain: (() => Promise<void>) | null = null;
export function onExpired(ask: (() => Promise<void>) | null): void {
  signInAgain = ask;
}

/** Sends a request of the route table. Throws ApiError. */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  input: RequestParts<M, P> & RequestOptions,
): Promise<Answer<AnswerOf<M, P>>> {
  const { params, query, body, ...options } = input as RequestOptions & {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const address = `${filled(path, params ?? {})}${queryText(query ?? {})}`;
  const isFile = body instanceof Blob || body instanceof FormData;
  const sent: SendOptions = {
    ...options,
    ...(body === undefined
      ? {}
      : isFile
        ? { body }
        : { body: JSON.stringify(body), contentType: 'application/json' }),
  };
  const { response, text } =
    method === 'post' && !isFile && options.idempotencyKey === undefined
      ? await sendOnce(address, sent)
      : await sendAndRead(method, address, method === 'post' ? { idempotencyKey: freshId(), ...sent } : sent);
  return {
    body: (text === '' ? undefined : JSON.parse(text)) as AnswerOf<M, P>,
    etag: response.headers.get('etag') ?? undefined,
  };
}

const retryKeys = createRetryKeys({ freshKey: freshId, nowMs: () => performance.now() });

/** Sends a POST. If the one before was the same and got no answer, both are one request. */
async function sendOnce(
  address: string,
  options: SendOptions,
): Promise<{ response: Response; text: string }> {
  const request = JSON.stringify([session.get()?.user.id, address, options.body]);
  const idempotencyKey = retryKeys.keyFor(request);
  try {
    const answer = await sendAndRead('post', address, { ...options, idempotencyKey });
    retryKeys.answered(request);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) retryKeys.unanswered(request, idempotencyKey);
    else retryKeys.answered(request);
    throw error;
  }
}

async function sendAndRead(
  method: string,
  address: string,
  options: SendOptions,
): Promise<{ response: Response; text: string }> {
  const response = await send(method, address, options);
  try {
    return { response, text: await response.text() };
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    void lookOut();
    throw unanswered(t('common.unreachable'));
  }
}

export interface SendOptions extends RequestOptions {
  body?: BodyInit;
  contentType?: string;
}

/** Sends a request below `/api/v1` with the session and answers a successful response. Throws ApiError. */
export async function send(method: string, path: string, options: SendOptions = {}): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchOnce(method, path, options);
    if (response.ok) return response;
    const error = await errorOf(response);
    if (
      error.status === 401 &&
      signInAgain !== null &&
      options.token === undefined &&
      (path === '/auth/me' || !path.startsWith('/auth/'))
    ) {
      await signInAgain();
      continue;
    }
    const isSoon = error.retryAfterSeconds !== null && error.retryAfterSeconds <= maxWaitSeconds;
    const isSafe = method === 'get' || options.idempotencyKey !== undefined;
    if ((error.status === 429 || error.status === 503) && isSoon && isSafe && attempt < 3) {
      const waiting = { seconds: error.retryAfterSeconds ?? 1, status: error.status };
      note({ waiting });
      try {
        await wait(waiting.seconds * 1000, options.signal);
      } finally {
        if (connection.waiting === waiting) note({ waiting: null });
      }
      continue;
    }
    throw error;
  }
}

async function fetchOnce(method: string, path: string, options: SendOptions): Promise<Response> {
  const { ifMatch, idempotencyKey, signal, timeoutMs = defaultTimeoutMs, body, contentType } = options;
  const token = options.token ?? session.get()?.token;
  const limit = AbortSignal.timeout(timeoutMs);
  const learnClock = askClock();
  try {
    const response = await fetch(`${prefix}${path}`, {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      credentials: 'omit',
      keepalive: options.outlivesPage === true,
    });
    learnClock(response.headers.get('date'));
    answeredAt = nowDate();
    if (connection.lostAt !== null) {
      note({ lostAt: null });
      for (const each of returned) each();
    }
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    void lookOut();
    throw unanswered(t(limit.aborted ? 'common.timedOut' : 'common.unreachable'));
  }
}

/** The error of a request that got no answer. */
export const unanswered = (message: string): ApiError =>
  new ApiError({
    status: 0,
    message,
    code: null,
    requestId: null,
    faults: [],
    detail: null,
    retryAfterSeconds: null,
  });

/** What an unsuccessful response says. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const parsed = parse(text);
  const detail = parsed?.detail ?? null;
  const faults = Array.isArray(detail)
    ? (detail as FieldFault[]).filter((each) => Array.isArray(each.loc))
    : [];
  const after = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiError({
    status: response.status,
    message: sentenceOf(detail, faults) ?? t('common.refused', { status: response.status }),
    code: typeof parsed?.code === 'string' ? parsed.code : null,
    requestId: response.headers.get('x-request-id'),
    faults,
    detail,
    retryAfterSeconds: Number.isFinite(after) ? after : null,
  });
}

function parse(text: string): { detail?: unknown; code?: unknown } | null {
  try {
    return JSON.parse(text) as { detail?: unknown; code?: unknown };
  } catch {
    return null;
  }
}

function sentenceOf(detail: unknown, faults: readonly FieldFault[]): string | null {
  if (typeof detail === 'string') return detail;
  if (faults.length > 0) return faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('\n');
  if (detail === null || typeof detail !== 'object') return null;
  if ('message' in detail) return String(detail.message);
  // A refused graph (contract 2.5).
  if (!('errors' in detail) || !Array.isArray(detail.errors)) return null;
  return (detail.errors as { message: string }[]).map(({ message }) => message).join('\n');
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

const filled = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));

function queryText(query: Record<string, unknown>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
