import { Agent, errors, type Dispatcher } from 'undici';
import { judgeUrl, parseAllowedHosts, refuse, type AddressRules } from './address-rules.ts';
import {
  ConnectionFailed,
  ConnectionRefusedByRules,
  connectPinned,
  createGuardedConnector,
  systemResolver,
  type ConnectTo,
  type Resolver,
} from './guarded-connector.ts';
import { judgeHeaders } from './header-rules.ts';
import type {
  Answered,
  CustomerHttpOutcome,
  CustomerHttpPort,
  CustomerRequest,
  CustomerStreamOutcome,
  CustomerStreamPort,
  Failed,
  Opened,
  Refused,
} from './port.ts';
import { isPlain, readBody, streamBody } from './read-body.ts';
import { redirected } from './redirects.ts';

export interface GuardedClientOptions {
  /** Allows plain http. */
  allowHttp?: boolean;
  /** Hosts that may be private, as `parseAllowedHosts` reads them; none by default. */
  allowedPrivateHosts?: readonly string[];
  connectTimeoutMs?: number;
  resolve?: Resolver;
  connectTo?: ConnectTo;
}

export interface GuardedClient extends CustomerHttpPort, CustomerStreamPort {
  /** Closes idle connections and waits for running requests. */
  close(): Promise<void>;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies Dispatcher.HttpMethod[];
const defaultConnectTimeoutMs = 3000;
/**
 * Shorter than the idle timeout of servers: a POST on a connection that the server is closing would have to
 * be repeated.
 */
const idleConnectionMs = 2000;

/**
 * The only client for URLs that customers wrote. The rules are in address-rules.ts and header-rules.ts;
 * guarded-connector.ts judges each new connection again. Follows redirects only if the request allows it,
 * does not decompress bodies, and adds no cookies or headers of its own. Throws only for invalid
 * `allowedPrivateHosts`.
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const rules: AddressRules = {
    allowHttp: options.allowHttp ?? false,
    allowedHosts: parseAllowedHosts(options.allowedPrivateHosts ?? []),
  };
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createGuardedConnector({
      rules,
      resolve: options.resolve ?? systemResolver,
      connectTo: options.connectTo ?? connectPinned(),
      connectTimeoutMs: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    }),
  });
  return {
    request: (request) => follow({ agent, rules, request }),
    open: (request) => open({ agent, rules, request }),
    close: () => agent.close(),
  };
}

interface Sending {
  agent: Agent;
  rules: AddressRules;
  request: CustomerRequest;
}

/** Sends one request and follows its redirects; a redirect beyond the maximum is the answer. */
async function follow({ agent, rules, request }: Sending): Promise<CustomerHttpOutcome> {
  const begun = performance.now();
  let [next, left] = [request, request.maxRedirects ?? 0];
  for (;;) {
    const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - begun));
    const outcome = await send({ agent, rules, request: { ...next, timeoutMs } });
    const following = outcome.kind === 'answered' && left > 0 ? redirected(next, outcome) : null;
    if (following === null) return outcome;
    [next, left] = [following, left - 1];
  }
}

async function send({ agent, rules, request }: Sending): Promise<CustomerHttpOutcome> {
  const judged = judge(request, rules);
  if (judged.kind === 'refused') return judged;
  const time = limitTime(request);
  try {
    const answer = await begin({ agent, ...judged, request, signal: time.signal });
    const headers = headersOf(answer);
    const { text, truncated } = await readBody({
      body: answer.body,
      encoding: headers['content-encoding'],
      maxBytes: request.maxResponseBytes,
    });
    if (request.signal?.aborted === true) throw request.signal.reason;
    return {
      kind: 'answered',
      statusCode: answer.statusCode,
      headers,
      bodyText: text,
      truncated,
    } satisfies Answered;
  } catch (error) {
    return outcomeOf({ error, host: judged.url.host, request, timedOut: time.isOver() });
  } finally {
    time.clear();
  }
}

/** Sends one request whose answer the caller reads; the timeout includes the reading. */
async function open({ agent, rules, request }: Sending): Promise<CustomerStreamOutcome> {
  const judged = judge(request, rules);
  if (judged.kind === 'refused') return judged;
  const time = limitTime(request);
  try {
    const answer = await begin({ agent, ...judged, request, signal: time.signal });
    const headers = headersOf(answer);
    if (isPlain(headers['content-encoding']))
      return {
        kind: 'opened',
        statusCode: answer.statusCode,
        headers,
        body: streamBody({ body: answer.body, maxBytes: request.maxResponseBytes, onEnd: time.clear }),
      } satisfies Opened;
    await readBody({ body: answer.body, encoding: headers['content-encoding'], maxBytes: 0 });
    time.clear();
    return failed('answer_invalid', `${judged.url.host} sent a compressed answer, which was not accepted`);
  } catch (error) {
    time.clear();
    return outcomeOf({ error, host: judged.url.host, request, timedOut: time.isOver() });
  }
}

interface Judged {
  kind: 'allowed';
  url: URL;
  method: Dispatcher.HttpMethod;
}

/** Judges a request as far as possible before the DNS look-up. */
function judge(request: CustomerRequest, rules: AddressRules): Judged | Refused {
  const judged = judgeUrl(request.url, rules);
  if (judged.kind === 'refused') return judged;
  const method = methods.find((each) => each === request.method);
  if (method === undefined)
    return refuse('method_not_allowed', 'The method must be GET, POST, PUT, PATCH or DELETE');
  return judgeHeaders(request.headers) ?? { kind: 'allowed', url: judged.url, method };
}

async function begin({
  agent,
  url,
  method,
  request,
  signal,
}: Omit<Sending, 'rules'> &
  Omit<Judged, 'kind'> & { signal: AbortSignal }): Promise<Dispatcher.ResponseData> {
  return await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { 'accept-encoding': 'identity', ...request.headers },
    body: request.body,
    signal,
  });
}

function headersOf(answer: Dispatcher.ResponseData): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function limitTime({ timeoutMs, signal }: CustomerRequest) {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new ConnectionFailed('timeout', 'the request timed out')),
    timeoutMs,
  );
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
    isOver: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

function outcomeOf({
  error,
  host,
  request,
  timedOut,
}: {
  error: unknown;
  host: string;
  request: CustomerRequest;
  timedOut: boolean;
}): Failed | Refused {
  if (error instanceof ConnectionRefusedByRules) return error.refusal;
  if (timedOut) return failed('timeout', `${host} did not answer within ${Math.round(request.timeoutMs)} ms`);
  if (request.signal?.aborted === true) return failed('aborted', 'The request was canceled by this service');
  if (error instanceof ConnectionFailed) return failed(error.reason, error.message);
  const code = codeOf(error);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code))
    return failed('tls', `No trusted TLS connection to ${host} (${code})`);
  if (error instanceof errors.HeadersOverflowError)
    return failed('answer_invalid', `${host} answered with headers that are too long`);
  if (error instanceof errors.HTTPParserError)
    return failed('answer_invalid', `${host} answered something that is not HTTP`);
  if (error instanceof errors.SocketError)
    return failed('network', `${host} closed the connection before it had answered`);
  return failed('network', `The connection to ${host} failed (${code})`);
}

function failed(reason: Failed['reason'], message: string): Failed {
  return { kind: 'failed', reason, message };
}

/** The code of a network error. An AggregateError of several addresses gets the code of its first error. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
