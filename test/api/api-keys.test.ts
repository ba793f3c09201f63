import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiKeys } from '../../src/db/tables/api-keys.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import {
  createTestClock,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../support/database.ts';

const hourMs = 3_600_000;

describe.each(databases)('API keys over HTTP on %s (contract 13.1)', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let api: ApiUnderTest;
  let other: ApiUnderTest;
  let owner: string;
  let stranger: string;
  let userId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    api = await startApi(database.db, { clock });
    other = await startApi(database.db, { clock });
    const tenant = await createTenant(database.db);
    owner = tenant.key;
    ({ userId } = tenant);
    stranger = (await createTenant(database.db)).key;
  });
  afterAll(async () => {
    await Promise.all([api.close(), other.close()]);
    await database.drop();
  });

  async function make(body: Record<string, unknown> = {}) {
    const made = await api.ask(owner, 'POST', '/user/api-keys', { name: 'Made', ...body });
    return { id: idAt(made.body, 'id'), key: String(at(made.body, 'api_key')), body: made.body };
  }
  const works = async (key: string, on = api) => (await on.ask(key, 'GET', '/workflow/fetch')).status === 200;
  const listed = async (id: string, query = '') => {
    const answer = await api.ask(owner, 'GET', `/user/api-keys${query}`);
    return (Array.isArray(answer.body) ? answer.body : []).find(
      (each: unknown) => at(each, 'id') === Number(id),
    );
  };
  const audited = async (id: string) =>
    (
      await database.db
        .getRepository(auditEvents)
        .find({ where: { subjectKind: 'api_key', subjectId: Number(id) }, order: { id: 'ASC' } })
    ).map(({ action, actorKind }) => `${action} by ${actorKind}`);

  test('a key is shown only once, when it is created', async () => {
    const { id, key, body } = await make();
    expect(body).toEqual({
      id: Number(id),
      name: 'Made',
      key_prefix: key.slice(0, 8),
      api_key: key,
      created_at: '2026-11-21T10:00:00.000000Z',
      scopes: null,
      expires_at: null,
    });
    expect(await listed(id)).toEqual({
      id: Number(id),
      name: 'Made',
      key_prefix: key.slice(0, 8),
      is_active: true,
      created_at: '2026-11-21T10:00:00.000000Z',
      last_used_at: null,
      archived_at: null,
      scopes: null,
      expires_at: null,
      created_by: userId,
      rotated_from_id: null,
    });
    expect(await works(key)).toBe(true);
    expect(await audited(id)).toEqual(['api_key.created by api_key']);
  });

  // guarantee: archived-key-refused
  // guarantee: revocation-acts-within-a-second
  // guarantee: own-change-of-access-acts-at-once
  test('an archived key is refused at once by the process that archived it, and by all within a second; a reactivated key works again', async () => {
    const { id, key } = await make();
    expect([await works(key), await works(key, other)]).toEqual([true, true]);
    expect(await api.ask(owner, 'DELETE', `/user/api-keys/${id}`)).toMatchObject({
      status: 200,
      body: { success: true, message: 'API key archived' },
    });
    expect(await works(key)).toBe(false);
    clock.advance(1000);
    expect(await works(key, other)).toBe(false);
    expect(await listed(id)).toBeUndefined();
    expect(await listed(id, '?include_archived=true')).toMatchObject({
      is_active: false,
      archived_at: '2026-11-21T10:00:00.000000Z',
    });
    expect(await api.ask(owner, 'DELETE', `/user/api-keys/${id}`)).toMatchObject({ status: 200 });
    expect(await other.ask(owner, 'PUT', `/user/api-keys/${id}/reactivate`)).toMatchObject({
      status: 200,
      body: { success: true, message: 'API key reactivated' },
    });
    expect([await works(key), await works(key, other)]).toEqual([true, true]);
    expect(await audited(id)).toEqual([
      'api_key.created by api_key',
      'api_key.archived by api_key',
      'api_key.reactivated by api_key',
    ]);
  });

  test('a key expires by itself, and reactivating does not extend it', async () => {
    const { id, key } = await make({ expires_at: '2026-11-21T12:00:00+01:00' });
    expect(await works(key)).toBe(true);
    clock.advance(hourMs);
    expect(await works(key)).toBe(false);
    expect(await listed(id)).toMatchObject({
      is_active: false,
      expires_at: '2026-11-21T11:00:00.000000Z',
      archived_at: null,
    });
    await api.ask(owner, 'PUT', `/user/api-keys/${id}/reactivate`);
    expect(await works(key)).toBe(false);
    expect(
      await api.ask(owner, 'POST', '/user/api-keys', { name: 'Late', expires_at: '2026-11-21T11:00:00Z' }),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body', 'expires_at'] }] },
    });
  });

  test('rotation creates a second key with the same scopes and lifetime; the first expires with the grace period', async () => {
    const first = await make({
      scopes: ['read', 'read'],
      expires_at: new Date(clock.now().getTime() + 48 * hourMs).toISOString(),
    });
    const rotated = await api.ask(owner, 'POST', `/user/api-keys/${first.id}/rotate`, {
      grace_period_seconds: 3600,
    });
    const at2 = (hours: number) =>
      new Date(clock.now().getTime() + hours * hourMs).toISOString().replace('Z', '000Z');
    expect(rotated).toMatchObject({
      status: 200,
      body: {
        name: 'Made',
        scopes: ['read'],
        expires_at: at2(48),
        rotated_from: { id: Number(first.id), expires_at: at2(1) },
      },
    });
    const second = String(at(rotated.body, 'api_key'));
    expect([await works(first.key), await works(second), second !== first.key]).toEqual([true, true, true]);
    expect(await api.ask(owner, 'POST', `/user/api-keys/${first.id}/rotate`, {})).toMatchObject({
      status: 409,
      body: { detail: `The API key was already replaced by key ${idAt(rotated.body, 'id')}` },
    });
    clock.advance(hourMs);
    expect([await works(first.key), await works(second)]).toEqual([false, true]);
    expect(await listed(idAt(rotated.body, 'id'))).toMatchObject({
      rotated_from_id: Number(first.id),
      created_by: userId,
    });
    expect(await audited(first.id)).toEqual(['api_key.created by api_key', 'api_key.rotated by api_key']);
  });

  test('a grace period is one day by default, can be zero, and extends no expiry', async () => {
    const [plain, atOnce, ending] = [
      await make(),
      await make(),
      await make({ expires_at: new Date(clock.now().getTime() + hourMs).toISOString() }),
    ];
    const until = async (id: string, body: unknown) =>
      Date.parse(
        String(
          at(
            (await api.ask(owner, 'POST', `/user/api-keys/${id}/rotate`, body)).body,
            'rotated_from',
            'expires_at',
          ),
        ),
      ) - clock.now().getTime();
    expect(await until(plain.id, {})).toBe(24 * hourMs);
    expect(await until(atOnce.id, { grace_period_seconds: 0 })).toBe(0);
    expect(await works(atOnce.key)).toBe(false);
    expect(await until(ending.id, { grace_period_seconds: 7200 })).toBe(hourMs);
  });

  test('an archived key cannot be rotated', async () => {
    const { id } = await make();
    await api.ask(owner, 'DELETE', `/user/api-keys/${id}`);
    expect((await api.ask(owner, 'POST', `/user/api-keys/${id}/rotate`, {})).status).toBe(409);
  });

  test('unknown keys and keys of others are 404 and do not change', async () => {
    const { id, key } = await make();
    for (const [who, subject] of [
      [owner, '999999'],
      [stranger, id],
    ] as const) {
      for (const [method, path, body] of [
        ['DELETE', '', undefined],
        ['PUT', '/reactivate', undefined],
        ['POST', '/rotate', {}],
      ] as const) {
        expect(await api.ask(who, method, `/user/api-keys/${subject}${path}`, body)).toMatchObject({
          status: 404,
          body: { detail: 'API key not found' },
        });
      }
    }
    expect(
      JSON.stringify((await api.ask(stranger, 'GET', '/user/api-keys?include_archived=true')).body),
    ).not.toContain(key.slice(0, 8) + '"');
    expect(await works(key)).toBe(true);
  });

  const keyed = (idempotencyKey: string, path: string, body: unknown) =>
    api.send({ 'x-api-key': owner, 'idempotency-key': idempotencyKey }, 'POST', path, body);

  test('a repeated request returns the same key', async () => {
    const first = await keyed('one', '/user/api-keys', { name: 'Once' });
    expect(await keyed('one', '/user/api-keys', { name: 'Once' })).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(
      await database.db
        .getRepository(apiKeys)
        .countBy({ prefix: String(at(first.body, 'key_prefix')), id: Number(idAt(first.body, 'id')) }),
    ).toBe(1);
  });

  test.each([
    ['make', 60],
    ['rotate', 0],
  ] as const)(
    'a request to %s a key leaves no unknown key behind if its answer is lost',
    async (what, graceSeconds) => {
      const old = await make();
      const [path, body] =
        what === 'make'
          ? ['/user/api-keys', { name: 'Lost' }]
          : [`/user/api-keys/${old.id}/rotate`, { grace_period_seconds: graceSeconds }];
      const lost = await keyed(`lost ${what}`.replace(' ', '-'), path, body);
      await database.db.getRepository(idempotencyKeys).update(
        { key: `lost-${what}` },
        {
          state: 'claimed',
          claimExpiresAt: new Date(clock.now().getTime() - 1),
          responseStatus: null,
          responseBody: null,
        },
      );
      const again = await keyed(`lost-${what}`, path, body);
      expect(again.status).toBe(200);
      expect([
        await works(String(at(lost.body, 'api_key'))),
        await works(String(at(again.body, 'api_key'))),
      ]).toEqual([false, true]);
      expect(await audited(idAt(lost.body, 'id'))).toEqual([
        'api_key.created by api_key',
        'api_key.discarded by api_key',
      ]);
    },
  );
});
