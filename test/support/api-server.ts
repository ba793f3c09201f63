import type { Express } from 'express';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { pino } from 'pino';
import { createApp, type AppOptions } from '../../src/api/app.ts';
import type { Authenticated, Handlers, PresentedCredentials } from '../../src/api/bind.ts';
import { jsonReply } from '../../src/api/answers/reply.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { UnauthenticatedError } from '../../src/domain/errors.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';

export interface ServedApp {
  url: string;
  close: () => Promise<void>;
}

/** A real server on a free port. */
export async function serveApp(app: RequestListener): Promise<ServedApp> {
  // As the real server: a test's idle connection is not closed under its next request.
  const server = createServer({ keepAliveTimeout: 75_000 }, app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export type TestCaller = { name: string };

/** The key `good`, also as bearer token, authenticates the caller of tests without services. */
export function authenticateTestCaller({
  apiKey,
  authorization,
}: PresentedCredentials): Promise<Authenticated<TestCaller>> {
  if (apiKey === 'good' || (apiKey === undefined && authorization === 'Bearer good'))
    return Promise.resolve({ caller: { name: 'good' }, scopes: null, holder: 'This API key' });
  if (apiKey !== undefined) return Promise.reject(new UnauthenticatedError('Invalid or expired API key'));
  return Promise.reject(
    new UnauthenticatedError(
      authorization === undefined ? 'Authorization header required' : 'Invalid or expired token',
    ),
  );
}

type EchoHandler = (request: { input: { body?: unknown } }) => Promise<ReturnType<typeof jsonReply>>;

/** Handlers that answer their input, so that tests see the result of validation. */
export function echoHandlers(): Handlers<TestCaller> {
  const echo: EchoHandler = ({ input }) => Promise.resolve(jsonReply(200, input.body ?? null));
  return buildHandlers(echo);
}

/** One handler for every route of the table. */
function buildHandlers(handler: EchoHandler): Handlers<TestCaller> {
  const names = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name));
  const all = Object.fromEntries(names.map((name) => [name, handler]));
  return all as unknown as Handlers<TestCaller>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- every name of the table was just filled
}

/** An app without services; `changes` replace its parts. */
export function createEchoApp(changes: Partial<AppOptions<TestCaller>> = {}): Express {
  return createApp<TestCaller>({
    handlers: echoHandlers(),
    authenticate: authenticateTestCaller,
    authenticateKey: (apiKey) =>
      apiKey === 'good'
        ? Promise.resolve({ caller: { name: 'good' }, scopes: null, holder: 'This API key' })
        : Promise.reject(new UnauthenticatedError('Invalid API key')),
    runOnce: ({ run }) => run(),
    checkAnswers: false,
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    freshRequestId: () => 'fresh-id',
    translate: (error) => error,
    ...changes,
  });
}
