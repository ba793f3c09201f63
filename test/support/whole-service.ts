import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { z } from 'zod';
import { createConnection } from 'mysql2/promise';
import type { ServerKind } from '../../src/db/data-source.ts';
import { seededKey } from '../../tools/bootstrap/prepare.mjs';
import { eventually, runNode, type RunningProcess } from './process.ts';
import { testServices } from './services.ts';
import { isTestRun, workflowBundle } from './test-run.mjs';

/**
 * The service as a person runs it: every role in a separate process, with a fresh database and a fresh
 * Temporal namespace.
 */
export interface WholeService {
  apiUrl: string;
  apiKey: string;
  /** Base address of the simulated language model, whose log tests check. */
  llmUrl: string;
  namespace: string;
  /** The environment of the roles; a test may start further roles with it. */
  env: Record<string, string>;
  api: RunningProcess;
  /** The simulated language model. */
  llm: RunningProcess;
  startWorker(file?: string, env?: Record<string, string>): RunningProcess;
  /** Starts another process of this service, which stops with it. */
  startRole(file: string, env?: Record<string, string>): RunningProcess;
  /** Authenticated JSON request to the API; `path` begins after /api/v1. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: unknown }>;
  /** The output of every role so far, for failure messages. */
  logs: () => string;
  stop: () => Promise<void>;
}

export interface WholeServiceOptions {
  /**
   * The test's own servers, instead of those of the test run. `databaseUrl` has an account that may create
   * databases.
   */
  servers?: { databaseUrl: string; temporalAddress: string; temporalUiUrl: string };
  /** Addresses of MySQL and Temporal if not direct (a proxy that a test disconnects). */
  databaseAddress?: { host: string; port: number };
  temporalAddress?: string;
  /** The server that has the database. */
  databaseKind?: ServerKind;
  /** Arguments of node for every role; with them a role gets a channel. */
  nodeArgs?: readonly string[];
  /** Additional environment. */
  env?: Record<string, string>;
}

export async function startWholeService(options: WholeServiceOptions = {}): Promise<WholeService> {
  const started: RunningProcess[] = [];
  const undo: (() => Promise<unknown>)[] = [
    () => Promise.all(started.toReversed().map((each) => each.stop())),
  ];
  const stop = async () => {
    for (const step of undo) await step();
  };
  try {
    return {
      ...(await startOn(options, started, undo)),
      logs: () => started.map((each) => each.output()).join(''),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts everything and records what it starts, so that a failure leaves nothing behind. */
async function startOn(
  {
    databaseKind = 'mariadb',
    servers = serversOfThisRun(databaseKind),
    databaseAddress,
    temporalAddress,
    nodeArgs = [],
    env: extra = {},
  }: WholeServiceOptions,
  started: RunningProcess[],
  undo: (() => Promise<unknown>)[],
): Promise<Omit<WholeService, 'stop' | 'logs'>> {
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const database = await createDatabase(servers.databaseUrl, name);
  undo.push(() => database.drop());
  const llmPort = await freePort();
  const httpPort = await freePort();
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: name.replace('_', '-'),
    TEMPORAL_UI_URL: servers.temporalUiUrl,
    PARLANCE_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    PARLANCE_HTTP_HOST: '127.0.0.1',
    PARLANCE_HTTP_PORT: String(httpPort),
    PARLANCE_WORKER_HEALTH_PORT: '0',
    PARLANCE_METRICS_PORT: '0',
    PARLANCE_PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
    PARLANCE_ALLOWED_PRIVATE_HOSTS: '127.0.0.1:*',
    PARLANCE_ALLOW_HTTP: 'true',
    PARLANCE_RATE_LIMIT_STORE: 'off',
    ...(isTestRun() ? { PARLANCE_WORKFLOW_BUNDLE: workflowBundle() } : {}), // a bench has none
    OPENAI_API_KEY: 'simulated',
    OPENAI_BASE_URL: `http://127.0.0.1:${llmPort}/v1`,
    ...extra,
  };
  const apiKey = z
    .string()
    .parse(seededKey(await succeed(runNode('tools/bootstrap/prepare-main.mjs', { env }))));

  if (databaseAddress !== undefined) {
    const url = new URL(database.url);
    url.hostname = databaseAddress.host;
    url.port = String(databaseAddress.port);
    env['DATABASE_URL'] = url.href;
  }
  if (temporalAddress !== undefined) env['TEMPORAL_ADDRESS'] = temporalAddress;

  const start = (file: string, more: Record<string, string> = {}) => {
    const running = runNode(file, { env: { ...env, ...more }, nodeArgs, hasChannel: nodeArgs.length > 0 });
    started.push(running);
    return running;
  };
  const llm = start('emulators/llm/main.ts', { PARLANCE_EMULATOR_LLM_PORT: String(llmPort) });
  const api = start('src/api/main.ts');
  const apiUrl = `http://127.0.0.1:${httpPort}`;
  await eventually(
    'the API is ready',
    async () => ((await fetch(`${apiUrl}/readyz`)).ok ? true : undefined),
    { detail: () => api.output() },
  );

  return {
    apiUrl,
    apiKey,
    llmUrl: `http://127.0.0.1:${llmPort}`,
    namespace: name.replace('_', '-'),
    env,
    api,
    llm,
    startWorker: (file = 'src/worker/main.ts', more = {}) => start(file, more),
    startRole: start,
    request: async (method, path, body, more = {}) => {
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...more };
      const answer = await fetch(`${apiUrl}/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
  };
}

function serversOfThisRun(databaseKind: ServerKind): NonNullable<WholeServiceOptions['servers']> {
  const { mariadbUrl, mysqlUrl, temporalAddress, temporalUiUrl } = testServices();
  return { databaseUrl: databaseKind === 'mysql' ? mysqlUrl : mariadbUrl, temporalAddress, temporalUiUrl };
}

/**
 * A port that was free just now, below the range that the system takes for connections: processes of other test
 * files connect all the time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function createDatabase(
  serverUrl: string,
  name: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const run = async (sql: string) => {
    const connection = await createConnection({ uri: serverUrl });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name}`) };
}

async function succeed(running: RunningProcess): Promise<string> {
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`a preparation failed with ${code}:\n${running.output()}`);
  return running.output();
}
