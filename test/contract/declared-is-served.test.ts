import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { servedPaths } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { NotFoundError } from '../../src/domain/errors.ts';
import { jsonReply } from '../../src/api/answers/reply.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';

/** The routes of Express: one layer for each registration, and `app.all` with all methods. */
const Stack = z.array(
  z.object({
    route: z
      .object({
        path: z.union([z.string(), z.array(z.string())]),
        methods: z.record(z.string(), z.boolean()),
      })
      .optional(),
  }),
);
const maxMethods = 8;

const app = createEchoApp();
const all: readonly Route[] = Object.values(routes);
const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));
const Paths = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
});
const { paths } = Paths.parse(document);
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const asDeclared = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const trimmed = (path: string) => path.replace(/\/$/, '');

/** Method and path of all routes of Express, without those that refuse other verbs. */
function served(): Set<string> {
  const stack = Stack.parse(Reflect.get(app.router, 'stack'));
  const found = stack.flatMap(({ route }) =>
    route === undefined || Object.keys(route.methods).length > maxMethods ? [] : [route],
  );
  return new Set(
    found.flatMap(({ path, methods }) =>
      [path].flat().flatMap((each) => Object.keys(methods).map((method) => `${method} ${asDeclared(each)}`)),
    ),
  );
}

describe('declared is served', () => {
  let server: ServedApp;
  beforeAll(async () => {
    server = await serveApp(app);
  });
  afterAll(() => server.close());

  // guarantee: served-routes-match-description
  test('the routes of Express and the operations of the description are the same, with both prefixes where declared', () => {
    const twice = all
      .filter(({ alsoBare }) => alsoBare === true)
      .map(({ method, path }) => `${method} ${path}`);
    const declared = [...operations.map(({ method, path }) => `${method} ${trimmed(path)}`), ...twice];
    expect(served()).toEqual(new Set(declared));
    expect(twice.length).toBeGreaterThan(0);
  });

  test('each operation is answered by its handler', async () => {
    for (const { path, method, operation } of operations) {
      const route = all.find(({ id }) => id === operation.operationId);
      for (const each of route === undefined ? [path] : servedPaths(route)) {
        const { status } = await fetch(`${server.url}${each.replaceAll(/\{\w+\}/g, '7')}`, {
          method: method.toUpperCase(),
          redirect: 'manual',
          headers: { 'x-api-key': 'good', 'content-type': 'application/json' },
          ...(route?.body === undefined ? {} : { body: '{}' }),
        });
        expect(`${method} ${each}: ${status}`).toMatch(/: (200|422)$/);
      }
    }
  });
});

describe('an undeclared answer', () => {
  const checked = (status: number) =>
    createEchoApp({
      checkAnswers: true,
      handlers: {
        ...echoHandlers(),
        countWorkflows: () => Promise.resolve(jsonReply(status, { detail: 'of the test' })),
      },
    });

  test.each([[200], [418]])('is an error in tests and development, with status %i', async (status) => {
    const server = await serveApp(checked(status));
    const answer = await fetch(`${server.url}/api/v1/workflow/count`, { headers: { 'x-api-key': 'good' } });
    await server.close();
    expect(answer.status).toBe(500);
  });

  // guarantee: answers-match-description
  test('is an error in tests and development if it is a refusal', async () => {
    const countWorkflows = () => Promise.reject(new NotFoundError('of the test'));
    const server = await serveApp(
      createEchoApp({ checkAnswers: true, handlers: { ...echoHandlers(), countWorkflows } }),
    );
    const answer = await fetch(`${server.url}/api/v1/workflow/count`, { headers: { 'x-api-key': 'good' } });
    await server.close();
    expect(answer.status).toBe(500);
  });
});
