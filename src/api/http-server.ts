import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { guarded } from '../runtime/guarded.ts';
import type { Logger } from '../runtime/logger.ts';

export interface HttpServerOptions {
  log: Logger;
  freshRequestId: () => string;
  /** Timeouts against clients that send slowly or incompletely. */
  limits?: Partial<TransportLimits>;
}

interface TransportLimits {
  /** Time for the headers of a request, from its first byte. */
  headersTimeoutMs: number;
  /** Time for the whole request, without its answer. */
  requestTimeoutMs: number;
  /** Interval at which both timeouts are checked. */
  checkEveryMs: number;
  /**
   * Idle time of a connection. Longer than that of usual load balancers, so that they never reuse a
   * connection that the server is closing.
   */
  keepAliveMs: number;
}

const defaultLimits: TransportLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  checkEveryMs: 5_000,
  keepAliveMs: 75_000,
};

/**
 * Errors before a request is complete, by Node's error code. All other codes mean malformed HTTP. Node limits
 * headers to 16 KiB.
 */
const refusals: Readonly<Record<string, { status: number; code: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    detail: 'The headers are larger than 16 KiB',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The request did not arrive in time',
  },
};
const malformed = { status: 400, code: 'bad_request', detail: 'The request is not valid HTTP' };

/**
 * Creates the HTTP server of the API. Malformed or incomplete requests get a JSON answer in the form of all
 * errors (contract 0.3), and their connection is closed.
 */
export function createHttpServer(
  app: RequestListener,
  { log, freshRequestId, limits }: HttpServerOptions,
): Server {
  const { headersTimeoutMs, requestTimeoutMs, checkEveryMs, keepAliveMs } = { ...defaultLimits, ...limits };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: keepAliveMs,
    },
    app,
  );
  const latest = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();
  server.prependListener('request', (req, res) => void latest.set(req.socket, { req, res }));
  const onFault = (error: unknown, socket: Duplex): void => {
    log.error({ err: error }, 'A connection failed');
    socket.destroy();
  };
  const refuse = (socket: Duplex, reason = ''): void => {
    if (!socket.writable) return void socket.destroy();
    const refusal = refusals[reason] ?? malformed;
    const requestId = freshRequestId();
    log.info({ requestId, status: refusal.status, reason }, 'Malformed request refused');
    socket.end(messageOf(refusal, requestId), () => socket.destroy());
  };
  const onClientError = ({ code }: NodeJS.ErrnoException, socket: Duplex): void => {
    const { req, res } = latest.get(socket) ?? {};
    if (code === 'ECONNRESET') return void socket.destroy();
    if (res === undefined || res.writableFinished) return refuse(socket, code);
    // A complete earlier request gets its answer first. An incomplete one gets this error, unless its answer
    // has begun.
    if (req?.complete === true)
      return void res.once(
        'finish',
        guarded(
          () => refuse(socket, code),
          (error) => onFault(error, socket),
        ),
      );
    if (res.headersSent) return void socket.destroy();
    refuse(socket, code);
  };
  // guarantee: malformed-http-gets-json-error
  server.on(
    'clientError',
    guarded(onClientError, (error, _cause, socket) => onFault(error, socket)),
  );
  return server;
}

function messageOf({ status, code, detail }: typeof malformed, requestId: string): string {
  const body = JSON.stringify({ detail, code, request_id: requestId });
  const headers = [
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `X-Request-Id: ${requestId}`,
  ];
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers, '', body].join('\r\n');
}
