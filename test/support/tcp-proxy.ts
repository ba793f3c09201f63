import { connect, createServer, type Server, type Socket } from 'node:net';

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
  /** Accepts connections again, on the same port. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const relays = new Set<{ client: Socket; upstream: Socket }>();
  let isStalled = false;
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
    const both = { client, upstream };
    relays.add(both);
    client.on('close', () => relays.delete(both));
    if (!isStalled) forward(both);
  }

  function forward({ client, upstream }: { client: Socket; upstream: Socket }): void {
    client.pipe(upstream).pipe(client);
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
      for (const { client, upstream } of relays) {
        client.unpipe(upstream);
        upstream.unpipe(client);
      }
      await new Promise((resolve) => setTimeout(resolve, ms));
      isStalled = false;
      for (const each of relays) forward(each);
    },
    close: cut,
    mend: async () => {
      server = await listen(port);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return address.port;
}
