import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createDataSource } from '../../src/db/data-source.ts';
import type { RequestLimits } from '../../src/domain/request-limits.ts';
import { noMetrics, type Metrics } from '../../src/runtime/metrics.ts';
import { createRequestLimits } from '../../src/services/identity/index.ts';
import {
  at,
  completeGraph,
  createTenant,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const few: RequestLimits = {
  key: { reads: 3, writes: 2, calls: 2 },
  organization: { reads: 5, writes: 4, calls: 3 },
  network: { downloads: 2 },
};

describe.each(databases)('request limits, on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  const undo: (() => Promise<unknown>)[] = [];

  const limitedApi = async (changes: Partial<Parameters<typeof createRequestLimits>[0]> = {}) => {
    const limiter = createRequestLimits({
      limits: few,
      store: 'memory',
      db: database.db,
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      ...changes,
    });
    const started = await startApi(database.db, { requestLimits: limiter, trustedProxies: ['loopback'] });
    undo.push(
      () => limiter.stop(),
      () => started.close(),
    );
    return started;
  };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  beforeEach(async () => {
    api = await limitedApi();
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    for (const step of undo) await step();
    await database.drop();
  });

  const read = (on = api, by = key) => on.ask(by, 'GET', '/folder/');
  const write = (name: string, on = api, by = key) => on.ask(by, 'POST', '/folder/', { name });
  const call = (on = api, by = key) =>
    on.ask(by, 'POST', '/public/agent/nobody', { phone_number: '12025550123' });
  const limitsOf = ({ headers }: Asked) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  const statuses = async (asks: (() => Promise<Asked>)[]) => {
    const all: number[] = [];
    for (const ask of asks) all.push((await ask()).status);
    return all;
  };
  const times = (count: number, ask: () => Promise<Asked>) =>
    statuses(Array.from({ length: count }, () => ask));
  /** Another key of the same organization, created without limits. */
  const anotherKey = async () => {
    const open = await startApi(database.db);
    const made = await open.ask(key, 'POST', '/user/api-keys', { name: 'another' });
    await open.close();
    return String(at(made.body, 'api_key'));
  };

  test('every answer has the state of the limits, including field faults', async () => {
    expect(limitsOf(await read())).toEqual([
      '"key_reads";q=3;w=60, "organization_reads";q=5;w=60',
      '"key_reads";r=2;t=60, "organization_reads";r=4;t=60',
    ]);
    const refused = await api.ask(key, 'POST', '/folder/', {});
    expect(refused.status).toBe(422);
    expect(limitsOf(refused)).toEqual([
      '"key_writes";q=2;w=60, "organization_writes";q=4;w=60',
      '"key_writes";r=1;t=60, "organization_writes";r=3;t=60',
    ]);
  });

  test('a request beyond the limit is 429 with the holder of the limit and Retry-After, and has no effect', async () => {
    expect(await statuses([() => write('one'), () => write('two')])).toEqual([200, 200]);
    const refused = await write('refused');
    expect(refused).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringMatching(
          /^Too many requests: this API key or session has had 2 writes in 60 s; try again in \d\d s$/,
        ),
        code: 'limit',
        request_id: expect.any(String),
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(limitsOf(refused)).toEqual([
      '"key_writes";q=2;w=60',
      expect.stringMatching(/^"key_writes";r=0;t=\d\d$/),
    ]);
    expect(JSON.stringify((await read()).body)).not.toContain('refused');
  });

  test('reads, writes and requests that start calls have separate limits', async () => {
    const agent = at(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'a',
          workflow_definition: completeGraph(),
        })
      ).body,
      'id',
    );
    expect(await times(4, () => read())).toEqual([200, 200, 200, 429]);
    expect((await write('goes on')).status).toBe(200);
    expect((await call()).status).toBe(404);
    expect((await api.ask(key, 'POST', `/workflow/${String(agent)}/text-chat/sessions`, {})).status).toBe(
      200,
    );
    expect(
      await statuses([
        () => call(),
        () => api.ask(key, 'POST', '/telephony/initiate-call', { workflow_id: 1 }),
        () => api.ask(key, 'POST', `/workflow/${String(agent)}/text-chat/sessions`, {}),
      ]),
    ).toEqual([429, 429, 429]);
  });

  // guarantee: one-key-cannot-exhaust-org-limit
  test('the keys of an organization share its limit; refused requests of one key do not count for the others', async () => {
    const other = await anotherKey();
    expect(await times(9, () => read())).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect(await times(2, () => read(api, other))).toEqual([200, 200]);
    const refused = await read(api, other);
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('the organization has had 5 reads in 60 s') },
    });
    expect((await read(api, (await createTenant(database.db)).key)).status).toBe(200);
  });

  test('a user has the same limit after another sign-in', async () => {
    const email = `limited-${kind}@example.com`;
    const signedUp = await api.ask(null, 'POST', '/auth/signup', { email, password: 'correct horse' });
    const signedIn = await api.ask(null, 'POST', '/auth/login', { email, password: 'correct horse' });
    const as = (answer: Asked) =>
      api.send({ authorization: `Bearer ${String(at(answer.body, 'token'))}` }, 'GET', '/auth/me');
    expect(
      await statuses([() => as(signedUp), () => as(signedIn), () => as(signedUp), () => as(signedIn)]),
    ).toEqual([200, 200, 200, 429]);
  });

  test('a request without the scope is counted; one with an invalid key and one to a public route are not', async () => {
    const open = await startApi(database.db);
    const reader = String(
      at(
        (await open.ask(key, 'POST', '/user/api-keys', { name: 'reader', scopes: ['read'] })).body,
        'api_key',
      ),
    );
    await open.close();
    expect(await times(3, () => write('x', api, reader))).toEqual([403, 403, 429]);
    expect(await times(9, () => read(api, 'prl_unknown'))).toEqual(Array<number>(9).fill(401));
    expect(limitsOf(await read(api, 'prl_unknown'))).toEqual([null, null]);
    for (const path of ['/health', '/openapi.json'])
      expect(limitsOf(await api.ask(null, 'GET', path))).toEqual([null, null]);
  });

  test('downloads by public links are limited by network, and untrusted X-Forwarded-For is ignored', async () => {
    const download = (from: string, on = api) =>
      on.send({ 'x-forwarded-for': from }, 'GET', '/public/download/workflow/unknown/transcript');
    const file = (from: string) => api.send({ 'x-forwarded-for': from }, 'GET', '/public/file/unknown');
    expect(
      await statuses([
        () => download('2001:db8:1:2::5'),
        () => file('2001:db8:1:2::6'),
        () => download('2001:db8:1:2:ffff::7'),
        () => download('2001:db8:1:3::5'),
      ]),
    ).toEqual([404, 404, 429, 404]);
    const limiter = createRequestLimits({
      limits: few,
      store: 'memory',
      db: database.db,
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
    });
    const direct = await startApi(database.db, { requestLimits: limiter });
    undo.push(() => direct.close());
    expect(await statuses([1, 2, 3].map((host) => () => download(`198.51.100.${host}`, direct)))).toEqual([
      404, 404, 429,
    ]);
  });

  test('a 429 is not stored for an idempotency key: the retried request passes', async () => {
    const keyed = (on: ApiUnderTest) =>
      on.send({ 'x-api-key': key, 'idempotency-key': 'later' }, 'POST', '/folder/', { name: 'later' });
    await statuses([() => write('one'), () => write('two')]);
    expect((await keyed(api)).status).toBe(429);
    const other = await limitedApi();
    const passed = await keyed(other);
    expect([passed.status, passed.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  // guarantee: rate-limit-shared-by-processes
  test('processes that count in MySQL share a limit: at once for starting calls, after a report for the rest', async () => {
    const [one, other] = [
      await limitedApi({ store: 'mysql', reportEveryMs: 10 }),
      await limitedApi({ store: 'mysql', reportEveryMs: 10 }),
    ];
    expect(await statuses([() => call(one), () => call(other), () => call(one), () => call(other)])).toEqual([
      404, 404, 429, 429,
    ]);
    const counted = async (group: string): Promise<unknown> =>
      at(
        await database.db.query('SELECT points FROM attempts WHERE `key` = ?', [
          `limit_organization_${group}:organization/${organizationId}`,
        ]),
        0,
        'points',
      );
    expect(await times(3, () => read(one))).toEqual([200, 200, 200]);
    await until('the report of one process', async () => (await counted('reads')) === 3);
    expect((await read(other)).status).toBe(200);
    await until('the report of the other', async () => (await counted('reads')) === 4); // the organization's: the key's is handed over before
    expect((await read(other)).status).toBe(429);
    expect(await counted('calls')).toBe(2);
  });

  test('processes that count in memory send no query to MySQL', async () => {
    await read();
    await call();
    expect(
      await database.db.query('SELECT * FROM attempts WHERE `key` LIKE ?', [
        `%organization/${organizationId}`,
      ]),
    ).toEqual([]);
  });

  // guarantee: uncountable-requests-pass
  test('without access to the counts, each process limits by itself, counts failures and logs once', async () => {
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const db = await createDataSource({ url: url.href, poolSize: 2 });
    const lines: string[] = [];
    const counted: string[] = [];
    const metrics: Metrics = { ...noMetrics, count: (name) => void counted.push(name) };
    const cutOff = await limitedApi({
      store: 'mysql',
      db,
      metrics,
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      reportEveryMs: 3_600_000,
    });
    try {
      await proxy.cut();
      expect(await times(3, () => call(cutOff))).toEqual([404, 404, 429]);
      expect(await times(4, () => read(cutOff))).toEqual([200, 200, 200, 429]);
      expect(
        counted.filter((name) => name === 'parlance_request_limit_failures_total').length,
      ).toBeGreaterThan(2);
      expect(lines.filter((line) => line.includes('this process counts alone'))).toHaveLength(1);
    } finally {
      await db.destroy();
      await proxy.close();
    }
  });

  test('operators see each exceeded limit once per window, and the number of refused requests', async () => {
    const lines: string[] = [];
    const counted: unknown[] = [];
    const watched = await limitedApi({
      metrics: { ...noMetrics, count: (...counting: unknown[]) => void counted.push(counting) },
      log: pino({}, { write: (line: string) => void lines.push(line) }),
    });
    await times(5, () => read(watched));
    expect(counted).toEqual([
      ['parlance_requests_limited_total', { limit: 'key_reads' }],
      ['parlance_requests_limited_total', { limit: 'key_reads' }],
    ]);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'A request limit was reached',
        organizationId,
        limit: 'key_reads',
        holder: expect.stringMatching(/^api_key\/\d+$/),
        requestId: expect.any(String),
      }),
    ]);
  });
});
