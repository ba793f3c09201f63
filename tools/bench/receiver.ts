import { createServer } from 'node:http';
import { closeServer, portOf } from '../../test/support/receiver.ts';

/** A customer's endpoint that answers 204 as soon as it has read a request, and records its arrival. */
export interface FastReceiver {
  url: string;
  /** When the first request of a delivery arrived, in milliseconds since 1970, by `webhook-id`. */
  arrivedAt: ReadonlyMap<string, number>;
  /** The same by `X-Dograh-Workflow-Run-Id`. */
  arrivedAtByCall: ReadonlyMap<number, number>;
  forget(): void;
  close(): Promise<void>;
}

export async function startFastReceiver(): Promise<FastReceiver> {
  const arrivedAt = new Map<string, number>();
  const arrivedAtByCall = new Map<number, number>();
  const server = createServer((req, res) => {
    const now = performance.timeOrigin + performance.now();
    const id = String(req.headers['webhook-id']);
    if (!arrivedAt.has(id)) {
      arrivedAt.set(id, now);
      arrivedAtByCall.set(Number(req.headers['x-dograh-workflow-run-id']), now);
    }
    req.resume().once('end', () => res.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/hook`,
    arrivedAt,
    arrivedAtByCall,
    forget: () => {
      arrivedAt.clear();
      arrivedAtByCall.clear();
    },
    close: () => closeServer(server),
  };
}
