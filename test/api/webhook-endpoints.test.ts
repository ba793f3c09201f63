import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveries, type DeliveryRow } from '../../src/db/tables/deliveries.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { attemptDelivery, selectDeliveries, type DeliveryDeps } from '../../src/services/webhooks/index.ts';
import type { DeliveryStarter } from '../../src/temporal/delivery-port.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../support/database.ts';
import { insertDelivery, insertEndedCall } from '../support/delivery-rows.ts';
import { answered, createFakeCustomerHttp, type FakeCustomerHttp } from '../support/fake-customer-http.ts';

describe.each(databases)('an endpoint that answers 410, on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let ctx: ServiceContext;
  let agentId: number;
  let http: FakeCustomerHttp;
  const drains: Parameters<DeliveryStarter['drain']>[0][] = [];
  const starter: DeliveryStarter = {
    resend: () => Promise.resolve(),
    drain: (input) => Promise.resolve(void drains.push(input)),
  };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { deliveries: starter });
    const tenant = await createTenant(database.db);
    ({ key } = tenant);
    ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
    ({ agentId } = await insertEndedCall(ctx));
    http = createFakeCustomerHttp();
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const deliveryTo = async (url: string) =>
    insertDelivery(ctx, { ...(await insertEndedCall(ctx)), agentId }, { nodeId: 'hook', url });
  const attempt = (delivery: DeliveryRow, number: number, resend = false) => {
    const deps: DeliveryDeps = {
      db: database.db,
      clock: ctx.clock,
      ids: ctx.ids,
      log: ctx.log,
      secrets: testSecrets,
      http,
      sign: signWebhook,
      timeoutMs: 60_000,
    };
    return attemptDelivery({ deps, input: { deliveryUuid: delivery.uuid, attempt: number, resend } });
  };
  const url = 'https://hooks.example.com/gone';

  test('gets no deliveries until it is turned on; then it gets the missed ones, oldest first, and after a second request only the rest', async () => {
    const gone = await deliveryTo(url);
    http.answerWith(answered(410));
    expect(await attempt(gone, 1)).toMatchObject({ kind: 'dead' });

    const missed = await deliveryTo(url);
    expect(await attempt(missed, 1)).toMatchObject({
      kind: 'dead',
      reason: 'Not sent: the endpoint answered 410 and is switched off',
      statusCode: null,
    });
    expect(http.requests).toHaveLength(1);
    expect(await database.db.getRepository(deliveries).findOneByOrFail({ id: missed.id })).toMatchObject({
      state: 'dead_letter',
      lastError: expect.stringContaining('switched off'),
    });
    http.answerWith(answered(200));
    expect(await attempt(await deliveryTo('https://hooks.example.com/other'), 1)).toMatchObject({
      kind: 'succeeded',
    });

    const off = '/webhook-endpoints?state=off';
    const listed = await api.ask(key, 'GET', off);
    expect(listed).toMatchObject({
      status: 200,
      body: [
        {
          workflow_id: agentId,
          node_id: 'hook',
          address: 'hooks.example.com/gone',
          state: 'off',
          waiting: 2,
          delivery_id: gone.uuid,
        },
      ],
    });
    expect(await api.ask(key, 'POST', `/webhook-deliveries/${missed.uuid}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'precondition' },
    });

    const path = `/webhook-endpoints/${String(at(listed.body, 0, 'id'))}/turn-on`;
    expect(await api.ask(key, 'POST', path)).toMatchObject({ status: 200, body: { queued: 2 } });
    expect((await api.ask(key, 'GET', off)).body).toEqual([]);
    const [drain] = drains;
    if (drain === undefined) throw new Error('nothing is drained');
    const { finishedFrom, finishedTo, endpointOf } = drain.selection.filter;
    const filter = {
      state: 'dead_letter',
      endpointOf,
      finishedFrom: new Date(finishedFrom ?? 0),
      finishedTo: new Date(finishedTo ?? 0),
    } as const;
    const selected = await selectDeliveries({
      db: database.db,
      selection: { ...drain.selection, filter },
      afterId: 0,
    });
    expect(selected.map(({ deliveryUuid }) => deliveryUuid)).toEqual([gone.uuid, missed.uuid]);
    expect(await attempt(missed, 2, true)).toMatchObject({ kind: 'succeeded' });
    expect(await api.ask(key, 'POST', path)).toMatchObject({ status: 200, body: { queued: 1 } });
  });

  test('cannot be turned on if it is unknown', async () => {
    for (const id of ['f'.repeat(32), 'unknown'])
      expect(await api.ask(key, 'POST', `/webhook-endpoints/${id}/turn-on`)).toMatchObject({ status: 404 });
  });
});
