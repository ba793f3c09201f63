import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliveries, type DeliveryRow } from '../../../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../../src/db/tables/delivery-attempts.ts';
import { signWebhook } from '../../../../src/providers/http/webhook-signer.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { attemptDelivery, type AttemptOutcome } from '../../../../src/services/webhooks/index.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';
import {
  createWatchedClient,
  startMisbehavingEndpoint,
  watchedHost,
  type MisbehavingEndpoint,
  type Misbehavior,
  type WatchedClient,
} from '../../../support/misbehaving-endpoint.ts';
import { startReceiver } from '../../../support/receiver.ts';

type Expected = [
  Misbehavior,
  { kind: AttemptOutcome['kind']; statusCode: number | null },
  Record<string, unknown>,
];

describe.each(databases)('a webhook attempt at a misbehaving endpoint on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let call: { callId: number; agentId: number };
  let endpoint: MisbehavingEndpoint;
  let http: WatchedClient;

  beforeAll(async () => {
    endpoint = await startMisbehavingEndpoint();
    http = createWatchedClient();
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    call = await insertEndedCall(ctx);
  });
  beforeEach(() => http.forget());
  afterAll(async () => {
    await http.close();
    await endpoint.close();
    await database.drop();
  });

  const attempt = (row: DeliveryRow, number: number) =>
    attemptDelivery({
      deps: { ...ctx, secrets: testSecrets, http, sign: signWebhook, timeoutMs: 20_000 },
      input: { deliveryUuid: row.uuid, attempt: number },
    });
  const attemptsOf = (row: DeliveryRow) =>
    database.db
      .getRepository(deliveryAttempts)
      .find({ where: { deliveryId: row.id }, order: { number: 'ASC' } });
  const stateOf = async (row: DeliveryRow) =>
    (await database.db.getRepository(deliveries).findOneByOrFail({ id: row.id })).state;

  // The status decides (contract 9.4): an endpoint that answers 200 has the webhook, whatever its body does.
  test.each<Expected>([
    [
      'hangs before its headers',
      { kind: 'retry', statusCode: null },
      { error: expect.stringContaining('did not answer within 300 ms') },
    ],
    [
      'hangs after its headers',
      { kind: 'succeeded', statusCode: 200 },
      { responseExcerpt: expect.stringMatching(/^\.+$/) },
    ],
    ['streams for ever', { kind: 'succeeded', statusCode: 200 }, { responseExcerpt: 'x'.repeat(8192) }],
    ['answers 1 GB', { kind: 'succeeded', statusCode: 200 }, { responseExcerpt: 'x'.repeat(8192) }],
    ['answers a gzip bomb', { kind: 'succeeded', statusCode: 200 }, { responseExcerpt: '' }],
    [
      'redirects to a private address',
      { kind: 'dead', statusCode: 307 },
      { error: 'The receiver answered 307, which is final' },
    ],
    [
      'redirects for ever',
      { kind: 'dead', statusCode: 302 },
      { error: 'The receiver answered 302, which is final' },
    ],
    [
      'answers headers without end',
      { kind: 'retry', statusCode: null },
      { error: expect.stringContaining('headers that are too long') },
    ],
    [
      'breaks off before its headers',
      { kind: 'retry', statusCode: null },
      { error: expect.stringContaining('closed the connection before it had answered') },
    ],
    ['breaks off in its body', { kind: 'succeeded', statusCode: 200 }, { responseExcerpt: '{"cut":' }],
    ['answers no HTTP', { kind: 'retry', statusCode: null }, { error: expect.stringContaining('not HTTP') }],
    ['answers no JSON', { kind: 'succeeded', statusCode: 200 }, { responseExcerpt: '<html>' }],
  ])(
    'that %s: records the outcome after one request, and reads no more than the maximum',
    async (behavior, outcome, recorded) => {
      const before = endpoint.requests();
      const row = await insertDelivery(ctx, call, { url: endpoint.url(behavior) });
      expect(await attempt(row, 1)).toMatchObject(outcome);
      expect(await attemptsOf(row)).toMatchObject([
        { state: outcome.kind === 'succeeded' ? 'succeeded' : 'failed', ...recorded },
      ]);
      expect(endpoint.requests()).toBe(before + 1);
      expect(http.bytesRead()).toBeLessThan(500_000);
    },
  );

  test('with an untrusted certificate: sends nothing, and is retried', async () => {
    const row = await insertDelivery(ctx, call, { url: endpoint.tlsUrl });
    expect(await attempt(row, 1)).toMatchObject({
      kind: 'retry',
      statusCode: null,
      reason: expect.stringContaining('No trusted TLS connection'),
    });
  });

  describe('with a changing address', () => {
    const two = async () => {
      const answer = () => ({ kind: 'answer' as const, status: 503, headers: { connection: 'close' } });
      const [first, second] = [await startReceiver({ answer }), await startReceiver()];
      http.playAddress('93.184.215.14', Number(first.host.split(':')[1]));
      http.playAddress('93.184.215.15', Number(second.host.split(':')[1]));
      const row = await insertDelivery(ctx, call, { url: `http://${watchedHost}/in` });
      return {
        first,
        second,
        row,
        close: async () => void (await Promise.all([first.close(), second.close()])),
      };
    };

    test('between attempts: each attempt looks the name up again', async () => {
      const { first, second, row, close } = await two();
      http.resolveTo(['93.184.215.14'], ['93.184.215.15']);
      expect(await attempt(row, 1)).toMatchObject({ kind: 'retry', statusCode: 503 });
      expect(await attempt(row, 2)).toMatchObject({ kind: 'succeeded' });
      expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
      expect(second.requests[0]?.body).toBe(first.requests[0]?.body);
      await close();
    });

    test('to a private one: the next attempt is refused, sends nothing and is the last one', async () => {
      const { first, row, close } = await two();
      http.resolveTo(['93.184.215.14'], ['127.0.0.1']);
      expect(await attempt(row, 1)).toMatchObject({ kind: 'retry' });
      expect(await attempt(row, 2)).toMatchObject({
        kind: 'dead',
        reason: 'hooks.example.com is not a public address',
      });
      expect(http.connected).toEqual(['93.184.215.14']);
      expect(first.requests).toHaveLength(1);
      expect(await stateOf(row)).toBe('dead_letter');
      await close();
    });

    test('between check and connection: connects to the checked address', async () => {
      const { first, row, close } = await two();
      http.resolveTo(['93.184.215.14'], ['169.254.169.254']);
      expect(await attempt(row, 1)).toMatchObject({ kind: 'retry', statusCode: 503 });
      expect(http.connected).toEqual(['93.184.215.14']);
      expect(first.requests).toMatchObject([{ headers: { host: watchedHost } }]);
      await close();
    });
  });
});
