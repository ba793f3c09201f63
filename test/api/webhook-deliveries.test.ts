import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliveryAttempts } from '../../src/db/tables/delivery-attempts.ts';
import type { DeliveryRow } from '../../src/db/tables/deliveries.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import type { DeliveryStarter } from '../../src/temporal/delivery-port.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { insertDelivery, insertEndedCall } from '../support/delivery-rows.ts';

describe.each(databases)('the delivery log on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let ctx: ServiceContext;
  let call: { callId: number; agentId: number };
  const asked: unknown[] = [];
  const deliveries: DeliveryStarter = {
    resend: (input) => Promise.resolve(void asked.push(input)),
    drain: (input) => Promise.resolve(void asked.push(input)),
  };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { deliveries });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(async () => {
    asked.length = 0;
    const tenant = await createTenant(database.db);
    ({ key } = tenant);
    ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
    call = await insertEndedCall(ctx);
  });

  const list = async (query = '') => (await api.ask(key, 'GET', `/webhook-deliveries${query}`)).body;
  const idsOf = (page: unknown): unknown[] => {
    const items = at(page, 'items');
    return Array.isArray(items) ? items.map((item: unknown) => at(item, 'id')) : [];
  };

  test('is newest first, in pages that new deliveries do not shift', async () => {
    const rows: DeliveryRow[] = [];
    for (let index = 0; index < 5; index += 1) rows.push(await insertDelivery(ctx, call));
    const newestFirst = rows.map(({ uuid }) => uuid).toReversed();
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 2));
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    await insertDelivery(ctx, call);
    const second = await list(`?limit=3&cursor=${String(at(first, 'next_cursor'))}`);
    expect(idsOf(second)).toEqual(newestFirst.slice(2));
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
  });

  test('filters by state, agent, node, call and time of creation', async () => {
    const other = await insertEndedCall(ctx);
    const failed = await insertDelivery(ctx, call, {
      state: 'dead_letter',
      createdAt: new Date('2026-11-21T10:00:00.000Z'),
    });
    const later = await insertDelivery(ctx, other, {
      state: 'succeeded',
      createdAt: new Date('2026-11-21T11:00:00.000Z'),
    });
    expect(idsOf(await list('?state=dead_letter'))).toEqual([failed.uuid]);
    expect(idsOf(await list(`?workflow_id=${other.agentId}`))).toEqual([later.uuid]);
    expect(idsOf(await list(`?node_id=${later.nodeId}`))).toEqual([later.uuid]);
    expect(idsOf(await list(`?run_id=${call.callId}`))).toEqual([failed.uuid]);
    expect(idsOf(await list('?from=2026-11-21T11:00:00Z'))).toEqual([later.uuid]);
    expect(idsOf(await list('?to=2026-11-21T12:00:00%2B01:00'))).toEqual([failed.uuid]);
    expect(idsOf(await list('?run_id=99999999999999999999'))).toEqual([]);
  });

  test('shows a delivery with its attempts, its exact body, and no secrets of its headers', async () => {
    const headers = [
      { key: 'X-Api-Key', value: 'private-value-1234' },
      { key: 'X-Plain', value: 'shown' },
    ];
    const delivery = await insertDelivery(ctx, call, {
      headers,
      attemptCount: 1,
      lastStatusCode: 503,
      lastError: 'The receiver answered 503',
    });
    const startedAt = new Date('2026-11-21T10:00:01.000Z');
    await database.db.getRepository(deliveryAttempts).insert({
      organizationId: ctx.organizationId,
      deliveryId: delivery.id,
      number: 1,
      state: 'failed',
      startedAt,
      durationMs: 12,
      statusCode: 503,
      error: 'The receiver answered 503',
      responseExcerpt: 'busy',
    });
    const { status, body } = await api.ask(key, 'GET', `/webhook-deliveries/${delivery.uuid}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: delivery.uuid,
      workflow_id: call.agentId,
      run_id: call.callId,
      state: 'pending',
      url: delivery.url,
      body: delivery.body,
      credential_uuid: null,
      attempts: [
        {
          number: 1,
          state: 'failed',
          started_at: '2026-11-21T10:00:01.000000Z',
          duration_ms: 12,
          status_code: 503,
          error: 'The receiver answered 503',
          response_excerpt: 'busy',
        },
      ],
    });
    const shown = at(body, 'request_headers');
    expect(shown).toContainEqual({ name: 'X-Plain', value: 'shown' });
    expect(shown).toContainEqual({ name: 'X-Api-Key', value: '**************1234' });
    expect(shown).toContainEqual({ name: 'webhook-id', value: delivery.uuid });
    expect(JSON.stringify(body)).not.toContain('private-value');
  });

  test.each(['unknown', '00000000-0000-4000-8000-000000000000'])('does not know %s', async (uuid) => {
    expect(await api.ask(key, 'GET', `/webhook-deliveries/${uuid}`)).toMatchObject({
      status: 404,
      body: { detail: 'Webhook delivery not found' },
    });
  });

  const auditOf = async () =>
    (await database.db.getRepository(auditEvents).findBy({ organizationId: ctx.organizationId })).map(
      ({ action, changes }) => ({ action, changes }),
    );

  // guarantee: delivery-can-be-resent
  test('sends a delivery again as the next attempt, and records who requested it', async () => {
    const delivery = await insertDelivery(ctx, call, { state: 'dead_letter', attemptCount: 11 });
    expect(await api.ask(key, 'POST', `/webhook-deliveries/${delivery.uuid}/resend`)).toMatchObject({
      status: 200,
      body: { queued: 1 },
    });
    expect(asked).toMatchObject([{ deliveryUuid: delivery.uuid, startedAttempt: 12, resend: true }]);
    expect(await auditOf()).toContainEqual({
      action: 'webhook_delivery.resend_requested',
      changes: { attempt: 12 },
    });
  });

  test('sends all current deliveries of a filter again, and returns their number', async () => {
    const found = [
      await insertDelivery(ctx, call, { nodeId: 'hook', state: 'dead_letter' }),
      await insertDelivery(ctx, await insertEndedCall(ctx), { nodeId: 'hook', state: 'dead_letter' }),
    ];
    await insertDelivery(ctx, call, { state: 'dead_letter' });
    await insertDelivery(ctx, await insertEndedCall(ctx), { nodeId: 'hook', state: 'succeeded' });
    const body = { state: 'dead_letter', node_id: 'hook', from: '2026-11-21T10:00:00Z' };
    expect(await api.ask(key, 'POST', '/webhook-deliveries/resend', body)).toMatchObject({
      status: 200,
      body: { queued: 2 },
    });
    expect(asked).toMatchObject([
      {
        afterId: 0,
        selection: {
          organizationId: ctx.organizationId,
          throughId: found[1]?.id,
          filter: { state: 'dead_letter', nodeId: 'hook', from: '2026-11-21T10:00:00.000Z' },
        },
      },
    ]);
    expect(await auditOf()).toContainEqual(
      expect.objectContaining({
        action: 'webhook_deliveries.resend_requested',
        changes: expect.objectContaining({ count: 2 }),
      }),
    );
    expect(await api.ask(key, 'POST', '/webhook-deliveries/resend', { workflow_id: 999_999 })).toMatchObject({
      status: 200,
      body: { queued: 0 },
    });
  });

  test.each([{}, { state: null, run_id: null }])(
    'refuses to send everything again without a filter: %j',
    async (body) => {
      await insertDelivery(ctx, call);
      expect(await api.ask(key, 'POST', '/webhook-deliveries/resend', body)).toMatchObject({
        status: 400,
        body: { code: 'precondition' },
      });
      expect(asked).toEqual([]);
    },
  );
});
