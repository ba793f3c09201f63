import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../../src/db/tables/delivery-attempts.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import type { CustomerRequest } from '../../../../src/providers/http/port.ts';
import { signWebhook } from '../../../../src/providers/http/webhook-signer.ts';
import {
  createCredential,
  deleteCredential,
  updateCredential,
  addWebhookSecret,
} from '../../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  attemptDelivery,
  giveUpDelivery,
  scheduleNextAttempt,
  type AttemptOutcome,
  type DeliveryDeps,
} from '../../../../src/services/webhooks/index.ts';
import { definitionPlace, sealerOf } from '../../../../src/services/kernel/sealed-text.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  testSecrets,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';
import {
  answered,
  createFakeCustomerHttp,
  type FakeCustomerHttp,
} from '../../../support/fake-customer-http.ts';

describe.each(bothDatabases)('attempts of a delivery on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let call: { callId: number; agentId: number };
  let http: FakeCustomerHttp;
  let deps: DeliveryDeps;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
    call = await insertEndedCall(ctx);
    http = createFakeCustomerHttp();
    deps = {
      db: database.db,
      clock: ctx.clock,
      ids: ctx.ids,
      log: ctx.log,
      secrets: testSecrets,
      http,
      sign: signWebhook,
      timeoutMs: 20_000,
    };
  });

  const attempt = (delivery: DeliveryRow, number: number, signal?: AbortSignal): Promise<AttemptOutcome> =>
    attemptDelivery({
      deps,
      input: { deliveryUuid: delivery.uuid, attempt: number },
      ...(signal === undefined ? {} : { signal }),
    });
  const sealed = (secret: string) => sealerOf(testSecrets, definitionPlace(ctx.organizationId))(secret);
  const rowOf = (delivery: DeliveryRow) =>
    database.db.getRepository(deliveries).findOneByOrFail({ id: delivery.id });
  const attemptsOf = (delivery: DeliveryRow) =>
    database.db
      .getRepository(deliveryAttempts)
      .find({ where: { deliveryId: delivery.id }, order: { number: 'ASC' } });
  const logsOf = async () =>
    (await database.db.getRepository(calls).findOneByOrFail({ id: call.callId })).logs;
  const onlyRequest = (): CustomerRequest => {
    const [request, ...others] = http.requests;
    if (request === undefined || others.length > 0)
      throw new Error(`${http.requests.length} requests instead of one`);
    return request;
  };

  test('a 2xx is recorded as a success in the attempt, the delivery and the log of the run', async () => {
    http.answerWith(answered(204, {}, 'thank you'));
    const delivery = await insertDelivery(ctx, call);
    expect(await attempt(delivery, 1)).toEqual({
      kind: 'succeeded',
      host: 'hooks.example.com',
      statusCode: 204,
    });
    expect(await attemptsOf(delivery)).toMatchObject([
      {
        number: 1,
        state: 'succeeded',
        statusCode: 204,
        error: null,
        responseExcerpt: 'thank you',
        durationMs: expect.any(Number),
      },
    ]);
    expect(await rowOf(delivery)).toMatchObject({
      state: 'succeeded',
      attemptCount: 1,
      lastStatusCode: 204,
      lastError: null,
      finishedAt: expect.any(Date),
    });
    expect(await logsOf()).toEqual({
      kept: true,
      webhook_deliveries: [
        {
          node_id: delivery.nodeId,
          delivery_id: delivery.uuid,
          state: 'succeeded',
          attempts: 1,
          last_status_code: 204,
          last_error: null,
        },
      ],
    });
  });

  // guarantee: webhook-signed-with-each-secret
  test('the request carries ids, the attempt, the exact bytes and a signature that each live secret verifies', async () => {
    const first = await addWebhookSecret({ ctx, secrets: testSecrets });
    const second = await addWebhookSecret({ ctx, secrets: testSecrets });
    const delivery = await insertDelivery(ctx, call, {
      headers: [
        { key: 'X-Custom', value: 'given' },
        {
          key: 'X-Token',
          value: sealed('sealed at rest'),
        },
        { key: 'X-Secret', value: ' ' },
      ],
    });
    await attempt(delivery, 3);
    const { headers, body, method, url, timeoutMs, maxResponseBytes } = onlyRequest();
    expect({ method, url, timeoutMs, maxResponseBytes, body }).toEqual({
      method: 'POST',
      url: delivery.url,
      timeoutMs: 20_000,
      maxResponseBytes: 8192,
      body: delivery.body,
    });
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Custom': 'given',
      'X-Token': 'sealed at rest',
      'X-Secret': ' ',
      'X-Dograh-Delivery-Id': delivery.uuid,
      'X-Dograh-Workflow-Run-Id': String(call.callId),
      'X-Dograh-Delivery-Attempt': '3',
      'webhook-id': delivery.uuid,
    });
    for (const { secret } of [first, second])
      expect(() => new Webhook(secret).verify(body ?? '', headers)).not.toThrow();
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  test('reads the credential for each attempt: uses a changed one and omits a deleted one', async () => {
    const credential = await createCredential({
      ctx,
      secrets: testSecrets,
      input: { name: 'CRM', description: null, type: 'bearer_token', data: { token: 'old' } },
    });
    const delivery = await insertDelivery(ctx, call, {
      credentialUuid: credential.uuid,
      headers: [{ key: 'authorization', value: sealed('Basic custom') }],
    });
    http.answerWith(answered(503));
    await attempt(delivery, 1);
    await updateCredential({
      ctx,
      secrets: testSecrets,
      input: { uuid: credential.uuid, data: { token: 'new' } },
    });
    await attempt(delivery, 2);
    await deleteCredential({ ctx, input: { uuid: credential.uuid } });
    await attempt(delivery, 3);
    const authorizations = http.requests.map(({ headers }) =>
      Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization'),
    );
    expect(authorizations).toEqual([
      [['Authorization', 'Bearer old']],
      [['Authorization', 'Bearer new']],
      [['authorization', 'Basic custom']],
    ]);
  });

  test("never sends another organization's credential", async () => {
    const stranger = await createTestContext(database.db);
    const { uuid } = await createCredential({
      ctx: stranger,
      secrets: testSecrets,
      input: { name: 'CRM', description: null, type: 'bearer_token', data: { token: 'foreign' } },
    });
    await attempt(await insertDelivery(ctx, call, { credentialUuid: uuid }), 1);
    expect(JSON.stringify(onlyRequest().headers)).not.toContain('foreign');
  });

  test('sends unsigned requests with id and timestamp for an organization without a secret', async () => {
    const delivery = await insertDelivery(ctx, call);
    await attempt(delivery, 1);
    expect(Object.keys(onlyRequest().headers)).toEqual(
      expect.arrayContaining(['webhook-id', 'webhook-timestamp']),
    );
    expect(Object.keys(onlyRequest().headers)).not.toContain('webhook-signature');
  });

  test.each(['GET', 'DELETE'])('%s sends no body and signs the empty one', async (method) => {
    const { secret } = await addWebhookSecret({ ctx, secrets: testSecrets });
    const delivery = await insertDelivery(ctx, call, { method, body: '{"never":"sent"}' });
    await attempt(delivery, 1);
    expect(onlyRequest().body).toBeNull();
    expect(() => new Webhook(secret).verify('', onlyRequest().headers)).not.toThrow();
  });

  test('a custom header cannot override our own headers', async () => {
    const delivery = await insertDelivery(ctx, call, {
      headers: [
        { key: 'WEBHOOK-ID', value: 'forged' },
        { key: 'x-dograh-delivery-id', value: 'forged' },
        { key: '', value: 'nameless' },
      ],
    });
    await attempt(delivery, 1);
    expect(JSON.stringify(onlyRequest().headers)).not.toContain('forged');
    expect(Object.keys(onlyRequest().headers)).not.toContain('');
  });

  test.each([408, 409, 425, 429, 500, 502, 503, 504, 599])('%i leads to another attempt', async (status) => {
    http.answerWith(answered(status));
    const delivery = await insertDelivery(ctx, call);
    expect(await attempt(delivery, 1)).toMatchObject({
      kind: 'retry',
      statusCode: status,
      retryAfterMs: null,
    });
    expect(await rowOf(delivery)).toMatchObject({
      state: 'pending',
      lastStatusCode: status,
      finishedAt: null,
    });
    expect(await attemptsOf(delivery)).toMatchObject([
      { state: 'failed', statusCode: status, error: `The receiver answered ${status}` },
    ]);
  });

  test.each([301, 302, 307, 400, 401, 403, 404, 413, 422])('%i is final at once', async (status) => {
    http.answerWith(answered(status));
    const delivery = await insertDelivery(ctx, call);
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'dead', statusCode: status });
    expect(await rowOf(delivery)).toMatchObject({
      state: 'dead_letter',
      lastStatusCode: status,
      finishedAt: expect.any(Date),
    });
  });

  test('410 is final and switches the endpoint off', async () => {
    http.answerWith(answered(410));
    const delivery = await insertDelivery(ctx, call);
    expect(await attempt(delivery, 1)).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('switched off'),
    });
    const events = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId: ctx.organizationId, action: 'webhook_endpoint.switched_off' });
    expect(events).toMatchObject([
      {
        actorKind: 'system',
        subjectKind: 'webhook_endpoint',
        subjectKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        changes: { agentId: call.agentId, nodeId: delivery.nodeId, deliveryUuid: delivery.uuid },
      },
    ]);
  });

  test('reports Retry-After, in seconds or as a date', async () => {
    http.answerWith(
      answered(503, { 'retry-after': '120' }),
      answered(429, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
    );
    const delivery = await insertDelivery(ctx, call);
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'retry', retryAfterMs: 120_000 });
    const second = await attempt(delivery, 2);
    expect(
      second.kind === 'retry' &&
        second.retryAfterMs !== null &&
        second.retryAfterMs > 55_000 &&
        second.retryAfterMs <= 60_000,
    ).toBe(true);
  });

  test('retries an unreachable receiver, but not a URL that our rules refuse', async () => {
    http.answerWith({
      kind: 'failed',
      reason: 'timeout',
      message: 'hooks.example.com did not answer within 20000 ms',
    });
    const unreachable = await insertDelivery(ctx, call);
    expect(await attempt(unreachable, 1)).toMatchObject({
      kind: 'retry',
      statusCode: null,
      reason: 'hooks.example.com did not answer within 20000 ms',
    });
    http.answerWith({
      kind: 'refused',
      reason: 'address_not_allowed',
      message: 'hooks.example.com is not a public address',
    });
    const refused = await insertDelivery(ctx, call);
    expect(await attempt(refused, 1)).toMatchObject({
      kind: 'dead',
      reason: 'hooks.example.com is not a public address',
    });
    expect(await rowOf(refused)).toMatchObject({
      state: 'dead_letter',
      lastError: 'hooks.example.com is not a public address',
    });
  });

  test('records the attempt as started and shows the delivery as pending before it sends anything', async () => {
    const delivery = await insertDelivery(ctx, call, { nextAttemptAt: new Date() });
    http.answerWith(async () => {
      expect(await attemptsOf(delivery)).toMatchObject([{ number: 1, state: 'started', durationMs: null }]);
      expect(await rowOf(delivery)).toMatchObject({ state: 'pending', attemptCount: 1, nextAttemptAt: null });
      expect(await logsOf()).toMatchObject({ webhook_deliveries: [{ state: 'pending', attempts: 1 }] });
      return answered(200);
    });
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'succeeded' });
  });

  // guarantee: interrupted-attempt-made-again
  test('repeats an attempt whose worker died before it recorded the outcome, with the same number, id and bytes', async () => {
    const delivery = await insertDelivery(ctx, call);
    http.answerWith(() => Promise.reject(new Error('the process dies here')), answered(200));
    await expect(attempt(delivery, 1)).rejects.toThrow('dies here');
    expect(await attemptsOf(delivery)).toMatchObject([{ number: 1, state: 'started' }]);
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'succeeded' });
    expect(await attemptsOf(delivery)).toMatchObject([{ number: 1, state: 'succeeded' }]);
    const [first, second] = http.requests;
    expect([
      second?.body,
      second?.headers['webhook-id'],
      second?.headers['X-Dograh-Delivery-Attempt'],
    ]).toEqual([first?.body, delivery.uuid, '1']);
  });

  test('a repeated older attempt does not lower the number of the newest one', async () => {
    const delivery = await insertDelivery(ctx, call);
    http.answerWith(() => Promise.reject(new Error('the process dies here')), answered(503), answered(503));
    await expect(attempt(delivery, 1)).rejects.toThrow('dies here');
    await attempt(delivery, 2);
    await attempt(delivery, 1);
    expect(await attemptsOf(delivery)).toMatchObject([
      { number: 1, state: 'failed' },
      { number: 2, state: 'failed' },
    ]);
    expect(await rowOf(delivery)).toMatchObject({ state: 'pending', attemptCount: 2 });
  });

  test('sends nothing for a recorded attempt or a finished delivery', async () => {
    http.answerWith(answered(500), answered(200));
    const delivery = await insertDelivery(ctx, call);
    await attempt(delivery, 1);
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'retry', reason: 'The receiver answered 500' });
    expect(http.requests).toHaveLength(1);
    await attempt(delivery, 2);
    expect(await attempt(delivery, 3)).toMatchObject({ kind: 'succeeded', statusCode: 200 });
    expect(http.requests).toHaveLength(2);
  });

  test('a delivery whose body was erased sends nothing, also when it is sent again', async () => {
    const erased = { body: null, erasedAt: ctx.clock.now() };
    const pending = await insertDelivery(ctx, call, erased);
    await attempt(pending, 1);
    const finished = await insertDelivery(ctx, call, { ...erased, state: 'succeeded', attemptCount: 1 });
    await attemptDelivery({ deps, input: { deliveryUuid: finished.uuid, attempt: 2, resend: true } });
    expect(http.requests).toEqual([]);
    expect([...(await attemptsOf(pending)), ...(await attemptsOf(finished))]).toEqual([]);
    expect(await rowOf(finished)).toMatchObject({ state: 'succeeded', attemptCount: 1 });
  });

  test('a success stays a success when a worker that was presumed dead reports a failure', async () => {
    const delivery = await insertDelivery(ctx, call);
    http.answerWith(async () => {
      http.answerWith(answered(200));
      expect(await attempt(delivery, 1)).toMatchObject({ kind: 'succeeded' });
      return answered(503);
    });
    expect(await attempt(delivery, 1)).toMatchObject({ kind: 'succeeded', statusCode: 200 });
    expect(await rowOf(delivery)).toMatchObject({ state: 'succeeded', lastStatusCode: 200 });
    expect(await attemptsOf(delivery)).toMatchObject([{ state: 'succeeded', statusCode: 200 }]);
  });

  test('an attempt that this service cancels stays started and throws the reason', async () => {
    const delivery = await insertDelivery(ctx, call);
    http.answerWith({
      kind: 'failed',
      reason: 'aborted',
      message: 'The request was canceled by this service',
    });
    await expect(attempt(delivery, 1, AbortSignal.abort(new Error('shutting down')))).rejects.toThrow(
      'shutting down',
    );
    expect(await attemptsOf(delivery)).toMatchObject([{ state: 'started' }]);
  });

  test('giving up ends a pending delivery with the reason and the last error, and does not change a finished one', async () => {
    http.answerWith(answered(503));
    const delivery = await insertDelivery(ctx, call);
    await attempt(delivery, 1);
    await scheduleNextAttempt({
      deps,
      input: { deliveryUuid: delivery.uuid, nextAttemptAt: new Date('2026-11-22T00:00:00.000Z') },
    });
    expect(await rowOf(delivery)).toMatchObject({ nextAttemptAt: new Date('2026-11-22T00:00:00.000Z') });
    await giveUpDelivery({
      deps,
      input: { deliveryUuid: delivery.uuid, reason: 'no success in 11 attempts' },
    });
    const givenUp = {
      state: 'dead_letter',
      lastError: 'no success in 11 attempts; last: The receiver answered 503',
      nextAttemptAt: null,
      finishedAt: expect.any(Date),
    };
    expect(await rowOf(delivery)).toMatchObject(givenUp);
    expect(await logsOf()).toMatchObject({
      webhook_deliveries: [
        { state: 'dead_letter', last_error: 'no success in 11 attempts; last: The receiver answered 503' },
      ],
    });
    await giveUpDelivery({ deps, input: { deliveryUuid: delivery.uuid, reason: 'again' } });
    await scheduleNextAttempt({ deps, input: { deliveryUuid: delivery.uuid, nextAttemptAt: new Date() } });
    expect(await rowOf(delivery)).toMatchObject(givenUp);
  });

  test("deliveries of one call that finish concurrently are all in the run's log", async () => {
    const rows = await Promise.all(Array.from({ length: 6 }, () => insertDelivery(ctx, call)));
    await Promise.all(rows.map((row) => attempt(row, 1)));
    expect(await logsOf()).toMatchObject({
      webhook_deliveries: rows.map(() => ({ state: 'succeeded', attempts: 1 })),
    });
  });

  test('an unknown delivery is not found', async () => {
    await expect(
      attemptDelivery({ deps, input: { deliveryUuid: '00000000-0000-4000-8000-000000000000', attempt: 1 } }),
    ).rejects.toThrow(NotFoundError);
  });
});
