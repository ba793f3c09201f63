import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { guarded } from '../../src/runtime/guarded.ts';

/** What a customer's endpoint knows after one delivery. */
export interface VerifiedDelivery {
  id: string;
  signed: boolean;
  payload: unknown;
}

/**
 * A customer's endpoint on this machine: verifies the signature as Standard Webhooks specifies and answers
 * 204.
 */
export async function startReceiver(
  secrets: readonly string[],
  port: number,
): Promise<{ url: string; next(limitMs: number): Promise<VerifiedDelivery>; close(): Promise<void> }> {
  const arrived: VerifiedDelivery[] = [];
  let onArrival = () => {};
  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = (await buffer(req)).toString('utf8');
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    );
    arrived.push({
      id: headers['webhook-id'] ?? '',
      signed: secrets.some((secret) => verifies(secret, body, headers)),
      payload: JSON.parse(body),
    });
    onArrival();
    res.writeHead(204).end();
  };
  const server = createServer(guarded(take, (_error, _req, res) => void res.writeHead(400).end()));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');

  return {
    url: `http://127.0.0.1:${address.port}/appointments`,
    next: async (limitMs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      onArrival = resolve;
      const timer = setTimeout(resolve, limitMs);
      if (arrived.length === 0) await promise;
      clearTimeout(timer);
      const delivery = arrived.shift();
      if (delivery === undefined) throw new Error(`no webhook within ${limitMs / 1000} s`);
      return delivery;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false; // verify throws if the signature is wrong
  }
}
