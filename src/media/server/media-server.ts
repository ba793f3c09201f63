import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { guarded } from '../../runtime/guarded.ts';
import { serveBrowser } from './browser-socket.ts';
import { serveCarrier } from './carrier-socket.ts';
import { closeCodes } from './close-codes.ts';
import type { StreamDeps } from './deps.ts';
import { toCallError } from './mapper.ts';
import { wantedBy, type Wanted } from './paths.ts';
import { socketOf, type Socket } from './socket.ts';

export interface MediaServer {
  /** The port of the server. */
  port: number;
  /** Number of open sockets. */
  readonly sockets: number;
  /** Accepts no more sockets, and terminates the open ones. */
  close(): Promise<void>;
}

/** Maximum message: a second of sound and its envelope. */
const maxMessageBytes = 256 * 1024;
/** After this wait, a socket that does not answer a close is terminated. */
const closeTimeoutMs = 2000;
const pingMs = 2000;
/** The subprotocol with which a browser may send its token as a second one. */
const protocolName = 'parlance';

/** The WebSocket server of a media host, for carriers' streams and browsers' calls. Plain HTTP gets a 426. */
export async function startMediaServer({
  deps,
  host,
  port,
}: {
  deps: StreamDeps;
  host: string;
  port: number;
}): Promise<MediaServer> {
  const server = createServer((_req, res) => void res.writeHead(426, { connection: 'close' }).end());
  const options = {
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    closeTimeout: closeTimeoutMs,
  };
  // Of several subprotocols we return ours, so the token is never sent back.
  const sockets = new WebSocketServer({
    ...options,
    handleProtocols: (names) => (names.has(protocolName) ? protocolName : false),
  });
  const upgrade = (req: IncomingMessage, raw: Duplex, head: Buffer): void => {
    raw.on('error', () => raw.destroy());
    const wanted = wantedBy({
      url: req.url,
      protocols: (req.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim()),
    });
    if (wanted.kind === 'unknown') return refuse(raw, '404 Not Found');
    if (wanted.kind === 'browser' && !mayOpen(deps, req.headers.origin)) return refuse(raw, '403 Forbidden');
    return sockets.handleUpgrade(req, raw, head, (ws) => void serve(deps, ws, wanted));
  };
  server.on(
    'upgrade',
    guarded(upgrade, (error, _req, raw) => {
      deps.log.error({ err: error }, 'A media socket could not be opened');
      raw.destroy();
    }),
  );
  server.listen(port, host);
  await once(server, 'listening');
  const ping = (): void => {
    for (const ws of sockets.clients) if (ws.readyState === ws.OPEN) ws.ping();
  };
  const pings = setInterval(
    guarded(ping, (error) => deps.log.error({ err: error }, 'The media sockets could not be pinged')),
    pingMs,
  );
  const address = server.address();

  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    get sockets() {
      return sockets.clients.size;
    },
    async close() {
      clearInterval(pings);
      server.close();
      for (const ws of sockets.clients) ws.terminate();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Closes the connection, because a client that is not served may never close its side. */
function refuse(raw: Duplex, status: string): void {
  raw.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => raw.destroy());
}

/** Browsers send the origin of the page; other programs send none. */
function mayOpen({ webOrigins }: StreamDeps, origin: string | undefined): boolean {
  // guarantee: web-call-page-has-listed-origin
  return origin === undefined || webOrigins.includes(origin);
}

async function serve(
  deps: StreamDeps,
  ws: WebSocket,
  wanted: Exclude<Wanted, { kind: 'unknown' }>,
): Promise<void> {
  const onFault = (error: unknown): void => {
    deps.log.error({ err: error }, 'A media socket could not be served');
    ws.close(closeCodes.internal);
  };
  const socket = socketOf(ws, onFault);
  ws.once(
    'close',
    guarded(
      (code: number) =>
        deps.metrics.count('parlance_media_sockets_closed_total', { close_code: String(code) }),
      onFault,
    ),
  );
  try {
    await answer(deps, socket, wanted);
  } catch (error) {
    onFault(error);
  }
}

async function answer(
  deps: StreamDeps,
  socket: Socket,
  wanted: Exclude<Wanted, { kind: 'unknown' }>,
): Promise<void> {
  switch (wanted.kind) {
    case 'carrier':
      return await serveCarrier({ deps, socket, request: wanted.request });
    case 'browser':
      return await serveBrowser({ deps, socket, request: wanted.request });
    case 'signaling':
      socket.sendText(JSON.stringify(toCallError('unsupported')));
      return socket.close(closeCodes.over);
    case 'malformed':
      return socket.close(closeCodes.malformed);
  }
}
