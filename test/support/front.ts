import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, portOf } from './receiver.ts';

/** What happens to a request at the front. */
export type Fate =
  | { kind: 'pass' }
  /** Never answered, never forwarded. */
  | { kind: 'hold' }
  /** Forwarded, but the answer is lost on the way back: the connection is dropped (`drop`) or hangs. */
  | { kind: 'lose_answer'; drop: boolean }
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string };

/** A proxy in front of the API that simulates network faults and concurrent changes. */
export interface Front {
  url: string;
  /** `METHOD /path` of received requests, in order. */
  requests: string[];
  /** Sets the rule; it may wait and act before it decides. */
  decide: (rule: (request: { method: string; path: string }) => Fate | Promise<Fate>) => void;
  close: () => Promise<void>;
}

export async function startFront(target: string): Promise<Front> {
  const requests: string[] = [];
  let rule: Parameters<Front['decide']>[0] = () => ({ kind: 'pass' });
  const server = createServer((req, res) => {
    const [method, path] = [req.method ?? 'GET', req.url ?? '/'];
    requests.push(`${method} ${path.split('?')[0] ?? ''}`);
    void (async () => {
      const body = await bodyOf(req);
      const fate = await rule({ method, path });
      if (fate.kind === 'hold') return;
      if (fate.kind === 'answer') return void res.writeHead(fate.status, fate.headers).end(fate.body);
      const headers = Object.fromEntries(
        Object.entries(req.headers)
          .filter(([name]) => !['host', 'connection', 'content-length'].includes(name))
          .map(([name, value]) => [name, String(value)]),
      );
      const answer = await fetch(`${target}${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      if (fate.kind === 'lose_answer') return void (fate.drop && req.socket.destroy());
      res
        .writeHead(
          answer.status,
          Object.fromEntries(
            [...answer.headers].filter(
              ([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
            ),
          ),
        )
        .end(content);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    decide: (next) => {
      rule = next;
    },
    close: () => closeServer(server),
  };
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
