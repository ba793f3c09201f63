import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../runtime/logger.ts';

export interface HttpServerOptions {
  log: Logger;
  freshRequestId: () => string;
  /** Against clients that send slowly or never to the end. */
  limits?: Partial<TransportLimits>;
}

interface TransportLimits {
  /** For the head of a request, from its first byte. */
  headersTimeoutMs: number;
  /** For the whole request; not for its answer. */
  requestTimeoutMs: number;
  /** How often both are looked at. */
  checkEveryMs: number;
  /**
   * Longer than the idle time of usual load balancers, so that they never reuse a connection that we are
   * closing.
   */
  keepAliveMs: number;
}

const usual: TransportLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  checkEveryMs: 5_000,
  keepAliveMs: 75_000,
};

/**
 * What is refused before it is a request, by Node's code; everything else is no HTTP. Heads are at most 16
 * KiB, which is Node's own limit.
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
const noHttp = { status: 400, code: 'bad_request', detail: 'This is not an HTTP request' };

/**
 * The server under the API. What is no request, or never becomes one, is answered in the shape of other
 * errors (contract 0.3), and the connection closed.
 */
export function createHttpServer(
  app: RequestListener,
  { log, freshRequestId, limits }: HttpServerOptions,
): Server {
  const { headersTimeoutMs, requestTimeoutMs, checkEveryMs, keepAliveMs } = { ...usual, ...limits };
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
  const refuse = (socket: Duplex, reason = ''): void => {
    if (!socket.writable) return void socket.destroy();
    const refusal = refusals[reason] ?? noHttp;
    const requestId = freshRequestId();
    log.info({ requestId, status: refusal.status, reason }, 'Not a request');
    socket.end(messageOf(refusal, requestId), () => socket.destroy());
  };
  // guarantee: bytes-no-request-never
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const { req, res } = latest.get(socket) ?? {};
    if (code === 'ECONNRESET') return void socket.destroy();
    if (res === undefined || res.writableFinished) return refuse(socket, code);
    // What came before is answered first; what breaks off itself has no other answer than this, and none that
    // has begun gets another.
    if (req?.complete === true) return void res.once('finish', () => refuse(socket, code));
    if (res.headersSent) return void socket.destroy();
    refuse(socket, code);
  });
  return server;
}

function messageOf({ status, code, detail }: typeof noHttp, requestId: string): string {
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
