import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guarded } from './guarded.ts';
import { identityPath } from './identity.ts';

/** One dependency: resolves when it is usable, rejects with the reason when not. */
export type HealthCheck = () => Promise<void>;

export interface Readiness {
  ready: boolean;
  /** Each dependency in the order given. */
  checks: Record<string, CheckOutcome>;
}

/**
 * Fixed words, because the endpoint is public and errors of dependencies may name hosts and users. The log
 * has the reason.
 */
export type CheckOutcome = 'ok' | 'failed' | 'timeout';

export interface HealthLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The answer to a metrics scraper. */
export interface MetricsAnswer {
  contentType: string;
  text: string;
}

export interface HealthServerOptions {
  /** 0 takes any free port. */
  port: number;
  host: string;
  checks: Record<string, HealthCheck>;
  log: HealthLog;
  /** Timeout of one check, in milliseconds. */
  timeoutMs?: number;
  /** Called for each `/metrics`; without it the path does not exist. */
  scrape?: () => Promise<MetricsAnswer>;
  /** Names this process at `/identity`; without it the path does not exist. */
  id?: string;
}

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

/** Runs every check at once; a check that takes longer than `timeoutMs` fails. Never rejects. */
export async function readReadiness(
  checks: Record<string, HealthCheck>,
  timeoutMs = 2000,
): Promise<Readiness> {
  const answers = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await outcomeOf(check, timeoutMs)] as const),
  );
  return { ready: answers.every(([, outcome]) => outcome === 'ok'), checks: Object.fromEntries(answers) };
}

async function outcomeOf(check: HealthCheck, timeoutMs: number): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckOutcome>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    return await Promise.race([check().then(() => 'ok' as const), late]);
  } catch {
    return 'failed'; // the check's own log says why
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The monitoring server of a process: `/healthz` answers 200 while the process lives, `/readyz` 200 or 503
 * with every dependency named, `/metrics` the metrics of the process, `/identity` its id, and any other path
 * 404.
 */
export async function startHealthServer({
  port,
  host,
  checks,
  log,
  timeoutMs,
  scrape,
  id,
}: HealthServerOptions): Promise<HealthServer> {
  const server = createServer(guarded(answer, (_error, _req, res) => res.destroy()));

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '/').split('?')[0];
    if (path === '/healthz') return send(res, 200, { alive: true });
    if (path === identityPath && id !== undefined) return send(res, 200, { id });
    if (path === '/metrics' && scrape !== undefined) return await sendMetrics(res, scrape, log);
    if (path !== '/readyz') return send(res, 404, { detail: 'Not Found' });
    const readiness = await readReadiness(checks, timeoutMs);
    return send(res, readiness.ready ? 200 : 503, readiness);
  }

  await listen(server, port, host);
  const address = addressOf(server);
  log.info({ port: address.port }, 'The health server is listening');
  return { port: address.port, close: () => close(server) };
}

async function sendMetrics(
  res: ServerResponse,
  scrape: () => Promise<MetricsAnswer>,
  log: HealthLog,
): Promise<void> {
  try {
    const { contentType, text } = await scrape();
    res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
    res.end(text);
  } catch (error) {
    log.error({ err: error }, 'Metrics could not be read');
    send(res, 500, { detail: 'Internal Server Error' });
  }
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify(body));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The health server listens on no TCP port');
  return address;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
