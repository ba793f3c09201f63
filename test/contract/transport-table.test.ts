import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { createEchoApp, serveApp, type ServedApp } from '../support/api-server.ts';

/**
 * The rules of the transport (contract 0.2) for every endpoint. Handlers return the parsed request.
 */
let server: ServedApp;
beforeAll(async () => {
  server = await serveApp(createEchoApp());
});
afterAll(() => server.close());

const all: readonly Route[] = Object.values(routes);
const rows = all.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
const filled = (route: Route, value = '7') => fullPath(route).replaceAll(/\{\w+\}/g, value);
const verbsOf = (path: string) =>
  all.filter((route) => fullPath(route) === path).map(({ method }) => method.toUpperCase());
const integersOf = (route: Route) =>
  Object.entries(shapeOf(route.params))
    .filter(([, schema]) => !schema.safeParse('x').success)
    .map(([name]) => name);

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  return schema instanceof z.ZodPipe && schema.out instanceof z.ZodObject ? schema.out.shape : {};
}

async function ask(
  method: string,
  path: string,
  { key = 'good', body }: { key?: string; body?: string } = {},
) {
  const content = body === undefined ? {} : { body };
  const answer = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { 'x-api-key': key }) },
    ...content,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    allow: answer.headers.get('allow'),
    text,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}
const send = (route: Route, path: string, key = 'good') =>
  ask(route.method.toUpperCase(), path, { key, ...(route.body === undefined ? {} : { body: '{}' }) });

describe.each(rows)('%s', (_name, route) => {
  test('HEAD is 405 without a body, with the allowed verbs', async () => {
    expect(await ask('HEAD', filled(route), { key: '' })).toEqual({
      status: 405,
      allow: verbsOf(fullPath(route)).join(', '),
      text: '',
      body: undefined,
    });
  });

  test.each(['PURGE', 'PROPFIND'])('%s is 405 before all other checks', async (verb) => {
    const answer = await ask(verb, filled(route), { key: '', body: '{' });
    expect(answer).toMatchObject({
      status: 405,
      allow: verbsOf(fullPath(route)).join(', '),
      body: { detail: 'Method Not Allowed', code: 'method_not_allowed' },
    });
  });

  test('is served with and without a slash at its end, without redirects', async () => {
    const path = filled(route).replace(/\/$/, '');
    expect(await send(route, `${path}/`)).toEqual(await send(route, path));
    expect([404, 405, 307, 308]).not.toContain((await send(route, path)).status);
    expect((await send(route, `${path}//`)).status).toBe(404);
  });

  test('refuses another letter case, a doubled slash and a longer path', async () => {
    const path = filled(route).replace(/\/$/, '');
    const [first = ''] = path.replace('/api/v1/', '').replace(/^\//, '').split('/');
    for (const other of [
      path.replace(first, first.toUpperCase()),
      ...(route.bare === true ? [] : [path.replace('/api/v1', '/API/v1')]),
      `/${path}`,
      `${path}/a/b/c/d`,
    ]) {
      expect(await send(route, other)).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    }
  });
});

describe.each(rows.filter(([, { auth }]) => auth === 'key'))('%s', (_name, route) => {
  test('checks credentials before fields', async () => {
    expect(await send(route, filled(route), '')).toMatchObject({
      status: 401,
      body: { detail: 'Authorization header required' },
    });
  });
});

test.each(rows.filter(([, { auth }]) => auth === 'none'))('%s needs no credentials', async (_name, route) => {
  expect((await send(route, filled(route), '')).status).not.toBe(401);
});

test.each(rows.filter(([, { body }]) => body !== undefined))(
  '%s checks the syntax of its body before credentials',
  async (_name, route) => {
    expect(await ask(route.method.toUpperCase(), filled(route), { key: '', body: '{' })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid' }] },
    });
  },
);

describe.each(rows.filter(([, route]) => integersOf(route).length > 0))('%s', (_name, route) => {
  test.each(['7.0', '%37', '+7', '007'])('%s in its path is the integer 7', async (value) => {
    expect(await send(route, filled(route, value))).toEqual(await send(route, filled(route, '7')));
  });

  test.each(['7.5', 'abc', '7e0', '0x7', '%20', '7%2F8', '７'])(
    '%s in its path is not an integer, and all places are reported',
    async (value) => {
      const { status, body } = await send(route, filled(route, value));
      const detail = integersOf(route).map((name) =>
        expect.objectContaining({ type: 'int_parsing', loc: ['path', name] }),
      );
      expect([status, body]).toEqual([422, { detail: expect.arrayContaining(detail) }]);
    },
  );
});

test.each(rows.filter(([, { path }]) => path.includes('{')))(
  '%s: a path whose percent signs do not decode is unknown',
  async (_name, route) => {
    expect(await send(route, filled(route, '%zz'))).toMatchObject({
      status: 404,
      body: { detail: 'Not Found' },
    });
  },
);

test.each(['/tools/', '/credentials/', '/campaign/', '/folder/', '/workflow-recordings/'])(
  '%s has its slash in the description, as published clients write it',
  (path) => {
    expect(all.filter((route) => route.path === path).length).toBeGreaterThan(0);
    expect(all.filter((route) => `${route.path}/` === path)).toEqual([]);
  },
);

test('literal segments stand before parameters of the same place', () => {
  const behind = all.flatMap((route, index) =>
    all
      .slice(0, index)
      .filter((earlier) => hides(fullPath(earlier), fullPath(route)))
      .map((earlier) => [earlier.path, route.path]),
  );
  expect(behind).toEqual([]);
});

/**
 * Whether a path with parameters would take the requests of another path, with the same verb or to refuse it.
 */
function hides(earlier: string, later: string): boolean {
  const [one, other] = [earlier.split('/'), later.split('/')];
  const matches =
    one.length === other.length &&
    one.every((segment, index) => segment.startsWith('{') || segment === other[index]);
  return (
    matches &&
    one.some((segment, index) => segment.startsWith('{') && other[index]?.startsWith('{') === false)
  );
}

test('no other path of the description ends with a slash', () => {
  const slashed = all.map(({ path }) => path).filter((path) => path.endsWith('/'));
  expect(new Set(slashed)).toEqual(
    new Set(['/tools/', '/credentials/', '/campaign/', '/folder/', '/workflow-recordings/']),
  );
});
