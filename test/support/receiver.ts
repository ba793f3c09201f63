import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { patienceMs } from './until.ts';

/**
 * A customer's webhook receiver: records every request before it answers, verifies signatures with the
 * `standardwebhooks` package like a customer, and answers as the test defines. Delivery tests check its log:
 * what it does not contain was not delivered.
 */
export interface Receiver {
  /** `http://127.0.0.1:<port>`; any path is accepted. */
  url: string;
  /** `127.0.0.1:<port>`, for the operator's list of private hosts. */
  host: string;
  /** In order of arrival. */
  requests: readonly ReceivedRequest[];
  /** Requests by `X-Dograh-Delivery-Id`. */
  byDelivery(): Map<string, ReceivedRequest[]>;
  /** Resolves when `count` requests have arrived; rejects after `timeoutMs`. */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  /** Changes the answers from now on. */
  answerWith(answer: AnswerRule): void;
  close(): Promise<void>;
}

export interface ReceivedRequest {
  at: Date;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes as UTF-8. */
  body: string;
  deliveryId: string;
  runId: string;
  attempt: number;
  webhookId: string;
  /** Positions of the receiver's secrets that verify the signature; empty = none does. */
  verifiedBy: number[];
}

export type Answer =
  | {
      kind: 'answer';
      status: number;
      headers?: Record<string, string>;
      body?: string;
      delayMs?: number;
      after?: Promise<void>;
    }
  /** Never answers. */
  | { kind: 'hang' }
  /** Reads the request and closes the connection. */
  | { kind: 'drop' };

/** `earlier` = the number of earlier requests of the same delivery. */
export type AnswerRule = (request: ReceivedRequest, earlier: number) => Answer;

export interface ReceiverOptions {
  /** `whsec_...` secrets that the customer knows. */
  secrets?: readonly string[];
  answer?: AnswerRule;
  /** A free port when absent. */
  port?: number;
}

export const ok: AnswerRule = () => ({ kind: 'answer', status: 200, body: 'thank you' });

/** The statuses in turn for each delivery; the last one repeats. */
export function statuses(...codes: [number, ...number[]]): AnswerRule {
  return (_request, earlier) => ({
    kind: 'answer',
    status: codes[Math.min(earlier, codes.length - 1)] ?? codes[0],
  });
}

export async function startReceiver({
  secrets = [],
  answer = ok,
  port = 0,
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let rule = answer;
  const server = createServer((req, res) => {
    record(req, secrets)
      .then((request) => {
        const earlier = requests.filter((each) => each.deliveryId === request.deliveryId).length;
        requests.push(request);
        return give(rule(request, earlier), res);
      })
      .catch((error: unknown) => res.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${portOf(server)}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    byDelivery: () => grouped(requests),
    waitForRequests: (count, timeoutMs = patienceMs) =>
      waitUntil(
        () => requests.length >= count,
        timeoutMs,
        () => `${requests.length} of ${count} requests arrived`,
      ),
    answerWith: (next) => {
      rule = next;
    },
    close: () => closeServer(server),
  };
}

function grouped(requests: readonly ReceivedRequest[]): Map<string, ReceivedRequest[]> {
  const groups = new Map<string, ReceivedRequest[]>();
  for (const request of requests)
    groups.set(request.deliveryId, [...(groups.get(request.deliveryId) ?? []), request]);
  return groups;
}

/** Polls `holds`; rejects with `described()` when it does not hold in time. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
  described: () => string,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${described()} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) =>
    server.close((error) => (error === undefined ? resolve() : reject(error))),
  );
}

async function record(req: IncomingMessage, secrets: readonly string[]): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    at: new Date(),
    method: req.method ?? '',
    path: req.url ?? '',
    headers,
    body,
    deliveryId: headers['x-dograh-delivery-id'] ?? '',
    runId: headers['x-dograh-workflow-run-id'] ?? '',
    attempt: Number(headers['x-dograh-delivery-attempt'] ?? 0),
    webhookId: headers['webhook-id'] ?? '',
    verifiedBy: secrets.flatMap((secret, index) => (isSignedWith(secret, body, headers) ? [index] : [])),
  };
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false; // the package says "not this secret" by throwing
  }
}

async function give(answer: Answer, res: ServerResponse): Promise<void> {
  switch (answer.kind) {
    case 'hang':
      return;
    case 'drop':
      res.destroy();
      return;
    case 'answer':
      await answer.after;
      if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
      res.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers });
      res.end(answer.body ?? '');
  }
}
