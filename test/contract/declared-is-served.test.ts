import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createOpenApiDocument } from '../../src/contract/openapi.ts';
import { servedPaths } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { NotFoundError } from '../../src/domain/errors.ts';
import { jsonReply } from '../../src/api/answers/reply.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';

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

const trimmed = (path: string) => path.replace(/\/$/, '');

/** Method and path of what is served at a path, as the answer to OPTIONS names the methods. */
async function served({ url }: ServedApp, path: string): Promise<string[]> {
  const answer = await fetch(url + path.replaceAll(/\{\w+\}/g, '1'), { method: 'OPTIONS' });
  const methods = answer.headers.get('allow')?.split(', ') ?? [];
  return methods.map((method) => `${method.toLowerCase()} ${path}`);
}

describe('declared is served', () => {
  let server: ServedApp;
  beforeAll(async () => {
    server = await serveApp(app);
  });
  afterAll(() => server.close());

  test('each path serves the methods of the description and no others, with both prefixes where declared', async () => {
    const twice = all.filter(({ alsoBare }) => alsoBare === true);
    const declared = [...operations, ...twice].map(({ method, path }) => ({ method, path: trimmed(path) }));
    const found: string[] = [];
    for (const path of new Set(declared.map((each) => each.path)))
      found.push(...(await served(server, path)));
    expect(found.toSorted()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).toSorted());
    expect(twice.length).toBeGreaterThan(0);
  });

  // guarantee: served-routes-match-description
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
