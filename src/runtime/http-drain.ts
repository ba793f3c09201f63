import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { guarded } from './guarded.ts';

/**
 * Makes a server stoppable. After `stop` it accepts no connections, answers current requests with
 * `Connection: close`, and resolves when all connections are closed. Without that header, clients would keep
 * their connections open and the process alive.
 */
export function createHttpDrain(server: Server): { stop(): Promise<void> } {
  const answering = new Set<ServerResponse>();
  const note = (_req: IncomingMessage, res: ServerResponse): void => {
    answering.add(res);
    res.once('close', () => answering.delete(res));
    if (!server.listening) lastOfItsConnection(res);
  };
  server.prependListener(
    'request',
    guarded(note, (_error, _req, res) => res.destroy()),
  );
  return {
    async stop() {
      for (const res of answering) lastOfItsConnection(res);
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}

function lastOfItsConnection(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
