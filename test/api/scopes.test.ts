import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fullPath } from '../../src/contract/paths.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { scopes, type Scope } from '../../src/contract/data/scopes.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const guarded = Object.values<Route>(routes).filter(
  (route): route is Route & { scope: Scope } => route.auth !== 'none',
);
/** If the key is a field, fields are checked before the scope (contract 5.2), so these are valid. */
const bodyOf = ({ auth, method }: Route) =>
  method === 'get' ? undefined : JSON.stringify(auth === 'key_header' ? { phone_number: '12025550123' } : {});
const named = (list: typeof guarded) => list.map((route) => [route.id, route] as const);

describe('scopes of keys', () => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: string;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    api = await startApi(database.db);
    owner = (await createTenant(database.db)).key;
    for (const scope of scopes) keys.set(scope, await makeKey([scope]));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const makeKey = async (granted: readonly string[]) =>
    String(
      at(
        (await api.ask(owner, 'POST', '/user/api-keys', { name: granted.join(), scopes: granted })).body,
        'api_key',
      ),
    );
  const send = (scope: string, route: Route) =>
    api.ask(
      keys.get(scope) ?? '',
      route.method.toUpperCase(),
      fullPath(route)
        .replace('/api/v1', '')
        .replaceAll(/\{\w+\}/g, '999999'),
      bodyOf(route),
    );

  test.each(named(guarded.filter(({ method, scope }) => method !== 'get' && scope !== 'read')))(
    '%s refuses a key with the scope read before it checks fields',
    async (_id, route) => {
      expect(await send('read', route)).toMatchObject({
        status: 403,
        body: { detail: `This API key lacks the scope ${route.scope}`, code: 'forbidden' },
      });
    },
  );

  // guarantee: key-limited-to-its-scopes
  test.each(named(guarded))('%s is open to its own scope and to admin alone', async (_id, route) => {
    const open: string[] = [];
    for (const scope of scopes) if ((await send(scope, route)).status !== 403) open.push(scope);
    expect(open).toEqual(scopes.filter((scope) => scope === route.scope || scope === 'admin'));
  });

  test('several scopes add up, and admin includes all', async () => {
    const both = await makeKey(['read', 'calls:trigger']);
    expect((await api.ask(both, 'GET', '/workflow/fetch')).status).toBe(200);
    expect((await api.ask(both, 'POST', '/workflow/999999/text-chat/sessions', {})).status).toBe(404);
    expect((await api.ask(both, 'POST', '/user/api-keys', { name: 'more', scopes: ['admin'] })).status).toBe(
      403,
    );
    expect(
      (await api.send({ authorization: `Bearer ${both}` }, 'POST', '/user/api-keys', { name: 'more' }))
        .status,
    ).toBe(403);
  });

  test('malformed JSON and invalid credentials are reported before a missing scope', async () => {
    expect((await api.ask(keys.get('read') ?? '', 'POST', '/user/api-keys', '{')).status).toBe(422);
    expect((await api.ask('prl_unknown', 'POST', '/user/api-keys', {})).status).toBe(401);
  });
});
