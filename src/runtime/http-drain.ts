import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

/**
 * Makes a server stoppable: from `stop` on it takes no connection, requests under way are answered, each as
 * the last one of its connection, and it resolves when all connections are closed. Without that word a client
 * would keep its connection, and the process with it.
 */
export function createHttpDrain(server: Server): { stop(): Promise<void> } {
  const answering = new Set<ServerResponse>();
  server.prependListener('request', (_req, res) => {
    answering.add(res);
    res.once('close', () => answering.delete(res));
    if (!server.listening) lastOfItsConnection(res);
  });
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
