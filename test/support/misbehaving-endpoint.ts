import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createGuardedClient, type GuardedClient } from '../../src/providers/http/guarded-client.ts';
import { connectPinned, systemResolver } from '../../src/providers/http/guarded-connector.ts';
import type { CustomerHttpPort } from '../../src/providers/http/port.ts';
import { portOf } from './receiver.ts';
import { certificate, certificateKey } from './tls-certificate.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const oneGiB = 2 ** 30;
const piece = Buffer.alloc(65_536, 'x');
/** Made once, because it takes time. */
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** The behavior of an endpoint after it has read a request. */
const misbehaviors = {
  'hangs before its headers': () => undefined,
  'hangs after its headers': (socket) => {
    socket.write(`${ok}Content-Length: 1000\r\n\r\n`);
    const timer = setInterval(() => socket.write('.'), 20);
    socket.once('close', () => clearInterval(timer));
  },
  'streams for ever': (socket) => {
    socket.write(`${ok}\r\n`);
    pour(socket, Infinity);
  },
  'answers 1 GB': (socket) => {
    socket.write(`${ok}Content-Length: ${oneGiB}\r\n\r\n`);
    pour(socket, oneGiB);
  },
  'answers a gzip bomb': (socket) => {
    socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
    socket.end(bomb);
  },
  'redirects to a private address': (socket) =>
    socket.end(
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/latest/meta-data\r\nContent-Length: 0\r\n\r\n',
    ),
  'redirects for ever': (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nLocation: ?again\r\nContent-Length: 0\r\n\r\n'),
  'answers headers without end': (socket) => socket.write(`${ok}X-Long: ${'a'.repeat(1_000_000)}`),
  'breaks off before its headers': (socket) => socket.destroy(),
  'breaks off in its body': (socket) =>
    socket.write(`${ok}Content-Length: 1000\r\n\r\n{"cut":`, () => socket.destroy()),
  'answers no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'answers no JSON': (socket) => socket.end(`${ok}Content-Length: 6\r\n\r\n<html>`),
} satisfies Record<string, (socket: Socket) => unknown>;

export type Misbehavior = keyof typeof misbehaviors;

const names = Object.keys(misbehaviors) as Misbehavior[]; // eslint-disable-line typescript/no-unsafe-type-assertion -- its own keys

/** The only ones that need a timeout. */
const hangs = (url: string): boolean =>
  names[Number(/\/(\d+)$/.exec(new URL(url).pathname)?.[1])]?.startsWith('hangs') === true;

/** Writes no faster than the other side reads. */
function pour(socket: Socket, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', more);
  more();
}

export interface MisbehavingEndpoint {
  url: (behavior: Misbehavior) => string;
  /** A server with an untrusted certificate. */
  tlsUrl: string;
  /** Number of requests so far. */
  requests: () => number;
  close: () => Promise<void>;
}

export async function startMisbehavingEndpoint(): Promise<MisbehavingEndpoint> {
  let requests = 0;
  const plain = createServer((socket) => {
    socket.on('error', () => {}); // the client hangs up in the middle: that is what is tested
    socket.once('data', (data) => {
      requests += 1;
      const behavior = names[Number(/^\w+ \/(\d+)/.exec(data.toString())?.[1])];
      if (behavior !== undefined) misbehaviors[behavior](socket);
    });
  });
  const tls = createTlsServer({ cert: certificate, key: certificateKey });
  const [closePlain, closeTls] = [await listen(plain), await listen(tls)];
  return {
    url: (behavior) => `http://127.0.0.1:${portOf(plain)}/${names.indexOf(behavior)}`,
    tlsUrl: `https://127.0.0.1:${portOf(tls)}/`,
    requests: () => requests,
    close: async () => {
      await closePlain();
      await closeTls();
    },
  };
}

async function listen(server: Server): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** The guarded client with the test's own name server and observed sockets. */
export interface WatchedClient extends CustomerHttpPort {
  /** Connected addresses, in order. */
  connected: string[];
  /** Bytes read from all connections since `forget`. */
  bytesRead: () => number;
  /** The addresses of `hooks.example.com` for each lookup; the last one repeats. */
  resolveTo: (...answers: string[][]) => void;
  /** Lets a server on 127.0.0.1 stand for a public address. */
  playAddress: (address: string, port: number) => void;
  forget: () => void;
  close: () => Promise<void>;
}

/** A name that the test resolves, on a port that is open to customers. */
export const watchedHost = 'hooks.example.com:8443';

/**
 * Loopback is allowed by its number and by no name. Requests that are never answered time out after 300 ms.
 */
export function createWatchedClient(): WatchedClient {
  const sockets: Socket[] = [];
  const connected: string[] = [];
  const played = new Map<string, number>();
  let answers: string[][] = [];
  const client: GuardedClient = createGuardedClient({
    allowHttp: true,
    allowedPrivateHosts: ['127.0.0.1:*'],
    resolve: async (hostname) => {
      if (hostname !== 'hooks.example.com') return await systemResolver(hostname);
      const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    connectTo: (addresses) => (target, callback) => {
      connected.push(...addresses.map(({ address }) => address));
      const port = played.get(addresses[0]?.address ?? '');
      if (port === undefined) {
        connectPinned()(addresses)(target, (...outcome) => {
          if (outcome[1] !== null) sockets.push(outcome[1]);
          callback(...outcome);
        });
        return;
      }
      const socket = connect(port, '127.0.0.1', () => callback(null, socket));
    },
  });
  return {
    request: (request) => client.request(hangs(request.url) ? { ...request, timeoutMs: 300 } : request),
    connected,
    bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    resolveTo: (...next) => {
      answers = next;
    },
    playAddress: (address, port) => void played.set(address, port),
    forget: () => {
      sockets.length = 0;
      connected.length = 0;
    },
    close: () => client.close(),
  };
}
