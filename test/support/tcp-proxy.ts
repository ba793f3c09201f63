import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A TCP proxy that a test can disconnect and reconnect, to make a dependency unavailable without stopping it
 * for other tests.
 */
export interface TcpProxy {
  readonly port: number;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Forwards nothing for that long, as if the server stood still; connections stay open. */
  stall(ms: number): Promise<void>;
  /** Each answer takes that much longer from now on. */
  slowDown(latencyMs: number): void;
  /** Accepts connections again, on the same port. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const relays = new Set<Relay>();
  let isStalled = false;
  let latencyMs = 0;
  let server = await listen(0);
  const port = portOf(server);

  function relay(client: Socket): void {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const both = { client, upstream, late: lateBy(() => latencyMs) };
    both.late.pipe(client);
    relays.add(both);
    client.on('close', () => relays.delete(both));
    if (!isStalled) forward(both);
  }

  function forward({ client, upstream, late }: Relay): void {
    client.pipe(upstream).pipe(late);
  }

  async function listen(onPort: number): Promise<Server> {
    const created = createServer(relay);
    await new Promise<void>((resolve, reject) =>
      created.once('error', reject).listen(onPort, '127.0.0.1', resolve),
    );
    return created;
  }

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    port,
    cut,
    async stall(ms) {
      isStalled = true;
      for (const { client, upstream, late } of relays) {
        client.unpipe(upstream);
        upstream.unpipe(late);
      }
      await pause(ms);
      isStalled = false;
      for (const each of relays) forward(each);
    },
    slowDown(ms) {
      latencyMs = ms;
    },
    close: cut,
    mend: async () => {
      server = await listen(port);
    },
  };
}

interface Relay {
  client: Socket;
  upstream: Socket;
  /** Passes the answers on. */
  late: Transform;
}

/** Passes bytes on in order, each after the latency of the moment. */
function lateBy(latencyMs: () => number): Transform {
  return new Transform({
    transform(bytes, _encoding, done) {
      if (latencyMs() === 0) done(null, bytes);
      else setTimeout(() => done(null, bytes), latencyMs());
    },
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return address.port;
}
