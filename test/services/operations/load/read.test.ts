import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retentionPolicies } from '../../../../src/db/tables/retention-policies.ts';
import { carrierEvents } from '../../../../src/db/tables/carrier-events.ts';
import { campaignTargets } from '../../../../src/db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { createPrometheus } from '../../../../src/runtime/prometheus.ts';
import { gaugeLoad, gaugePool, readLoad } from '../../../../src/services/operations/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertCampaign } from '../../../support/campaign-world.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';
import { sumOf } from '../../../support/metrics-text.ts';

const clock = createTestClock('2026-11-21T12:00:00.000Z');
const noCampaigns = {
  campaigns: expect.objectContaining({ none: 0, outside_window: 0 }),
  lines: 0,
  overdueSeconds: 0,
  idle: 0,
  held: { breaker: 0, window_never_opens: 0 },
};

describe.each(bothDatabases)('the load on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    // The load is that of all organizations, and one test reads it while there is none.
    database = await createTestDatabase(kind, { hasNeighbor: false });
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  test('is zero while nothing waits', async () => {
    expect(await readLoad({ db: database.db, clock })).toEqual({
      liveCalls: { pending: 0, admitted: 0, talking: 0, ending: 0 },
      waitingDeliveries: 0,
      deadLetters: 0,
      oldestDeliverySeconds: 0,
      overdueDeliverySeconds: 0,
      waitingEvents: 0,
      oldestEventSeconds: 0,
      retentionAgeSeconds: 0,
      campaigns: noCampaigns,
    });
  });

  test('counts live calls and waiting deliveries of all organizations, and how late the most overdue delivery is', async () => {
    const other = await createTestContext(database.db);
    const call = await insertEndedCall(ctx);
    const talking = await insertEndedCall(other);
    await database.db.getRepository(calls).update({ id: talking.callId }, { state: 'talking' });
    await insertDelivery(ctx, call, {
      createdAt: new Date('2026-11-21T10:00:00.000Z'),
      nextAttemptAt: new Date('2026-11-21T13:00:00.000Z'),
    });
    await insertDelivery(other, talking, {
      createdAt: new Date('2026-11-21T11:30:00.000Z'),
      nextAttemptAt: new Date('2026-11-21T11:55:00.000Z'),
    });
    await insertDelivery(ctx, call, { createdAt: new Date('2026-11-21T11:59:00.000Z') });
    await insertDelivery(ctx, call, { createdAt: new Date('2026-11-20T10:00:00.000Z'), state: 'succeeded' });
    await insertDelivery(ctx, call, {
      createdAt: new Date('2026-11-20T10:00:00.000Z'),
      state: 'dead_letter',
    });
    expect(await readLoad({ db: database.db, clock })).toEqual({
      liveCalls: { pending: 0, admitted: 0, talking: 1, ending: 0 },
      waitingDeliveries: 3,
      deadLetters: 1,
      oldestDeliverySeconds: 2 * 3600,
      overdueDeliverySeconds: 5 * 60,
      waitingEvents: 0,
      oldestEventSeconds: 0,
      retentionAgeSeconds: 0,
      campaigns: noCampaigns,
    });
  });

  test('reports how long the organization with the oldest retention pass has waited, among those with a policy', async () => {
    const [applied, never, none] = [
      await createTestContext(database.db),
      await createTestContext(database.db),
      await createTestContext(database.db),
    ];
    const policy = {
      transcriptDays: null,
      recordingDays: null,
      variableDays: 30,
      updatedAt: new Date('2026-11-20T11:00:00.000Z'),
    };
    const rows = database.db.getRepository(retentionPolicies);
    await rows.insert({
      ...policy,
      organizationId: applied.organizationId,
      appliedAt: new Date('2026-11-21T11:00:00.000Z'),
    });
    await rows.insert({
      ...policy,
      organizationId: none.organizationId,
      variableDays: null,
      appliedAt: null,
      updatedAt: new Date('2026-01-01T00:00:00.000Z'),
    });
    expect(await readLoad({ db: database.db, clock })).toMatchObject({ retentionAgeSeconds: 3600 });
    await rows.insert({ ...policy, organizationId: never.organizationId, appliedAt: null });
    expect(await readLoad({ db: database.db, clock })).toMatchObject({ retentionAgeSeconds: 25 * 3600 });
  });

  test('counts carrier events that are not delivered to their calls, and how long the oldest has waited', async () => {
    const rows = database.db.getRepository(carrierEvents);
    const event = {
      organizationId: ctx.organizationId,
      callId: null,
      eventType: 'call.answered',
      occurredAt: clock.now(),
      raw: null,
    };
    await rows.insert({
      ...event,
      eventId: 'waits',
      receivedAt: new Date('2026-11-21T11:58:00.000Z'),
      deliveredAt: null,
    });
    await rows.insert({
      ...event,
      eventId: 'waits-less',
      receivedAt: new Date('2026-11-21T11:59:00.000Z'),
      deliveredAt: null,
    });
    await rows.insert({
      ...event,
      eventId: 'delivered',
      receivedAt: new Date('2026-11-21T10:00:00.000Z'),
      deliveredAt: clock.now(),
    });
    expect(await readLoad({ db: database.db, clock })).toMatchObject({
      waitingEvents: 2,
      oldestEventSeconds: 120,
    });
  });

  test('counts running campaigns by wait reason, their targets in a call, and how late the most overdue target is', async () => {
    const other = await createTestContext(database.db);
    const waiting = await insertCampaign(ctx, {
      contacts: 0,
      row: { state: 'running', waitReason: 'outside_window' },
    });
    const dialing = await insertCampaign(other, { contacts: 0, row: { state: 'running' } });
    await insertCampaign(other, { contacts: 0, row: { state: 'paused', waitReason: 'paused' } });
    const target = { phone: '14155550000', zoneKey: '', position: 1, spentAttempts: 0, attempts: 0 };
    await database.db.getRepository(campaignTargets).insert([
      {
        ...target,
        campaignId: waiting.id,
        organizationId: ctx.organizationId,
        rowNumber: 1,
        state: 'waiting',
        dueAt: new Date('2026-11-21T11:58:00.000Z'),
      },
      {
        ...target,
        campaignId: dialing.id,
        organizationId: other.organizationId,
        rowNumber: 1,
        state: 'waiting',
        dueAt: new Date('2026-11-21T13:00:00.000Z'),
      },
      {
        ...target,
        campaignId: dialing.id,
        organizationId: other.organizationId,
        rowNumber: 2,
        state: 'processing',
      },
    ]);
    const { campaigns } = await readLoad({ db: database.db, clock });
    expect(campaigns).toMatchObject({
      campaigns: { none: 1, outside_window: 1, paused: 0 },
      lines: 1,
      overdueSeconds: 120,
    });
  });

  test('counts campaigns that do not dial although they could, and those that paused automatically', async () => {
    const world = await createTestContext(database.db);
    const startedAt = new Date(clock.now().getTime() - 600_000);
    const of = async (
      row: Partial<CampaignRow>,
      state: 'queued' | 'waiting' | 'processing',
      dueAt: Date | null = null,
    ) => {
      const { id: campaignId } = await insertCampaign(world, {
        contacts: 0,
        row: { state: 'running', startedAt, ...row },
      });
      await database.db.getRepository(campaignTargets).insert({
        campaignId,
        organizationId: world.organizationId,
        rowNumber: 1,
        state,
        dueAt,
        phone: '14155550000',
        zoneKey: '',
        position: 1,
        spentAttempts: 0,
        attempts: 0,
      });
    };
    const soon = new Date(clock.now().getTime() + 60_000);
    const { campaigns: before } = await readLoad({ db: database.db, clock });
    await of({}, 'processing');
    await of({}, 'waiting', soon);
    await of({ startedAt: clock.now() }, 'queued');
    await of({ waitReason: 'outside_window', waitUntil: soon }, 'queued');
    await of({ state: 'paused', waitReason: 'paused' }, 'queued');
    expect((await readLoad({ db: database.db, clock })).campaigns).toMatchObject({
      idle: before.idle,
      held: before.held,
    });
    await of({}, 'queued');
    await of({ waitReason: 'retry', waitUntil: startedAt }, 'waiting', startedAt);
    await of({ state: 'paused', waitReason: 'breaker' }, 'queued');
    expect((await readLoad({ db: database.db, clock })).campaigns).toMatchObject({
      idle: before.idle + 2,
      held: { breaker: before.held.breaker + 1, window_never_opens: before.held.window_never_opens },
    });
  });

  test('is counted from an index only, for any number of deliveries', async () => {
    const plan: unknown = await database.db.query(
      "EXPLAIN SELECT COUNT(*), MIN(created_at), MIN(COALESCE(next_attempt_at, created_at)) FROM deliveries WHERE state = 'pending'",
    );
    expect(JSON.stringify(plan)).toMatch(
      /Covering index lookup on deliveries using ix_deliveries_backlog|"key":"ix_deliveries_backlog".*Using index"/,
    );
  });

  test('is published as gauges, with the pool, and removed if it cannot be read', async () => {
    const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
    gaugeLoad(metrics, await readLoad({ db: database.db, clock }));
    gaugePool(metrics, database.db);
    const { text } = await scrape();
    expect(sumOf(text, 'parlance_deliveries', { delivery_state: 'pending' })).toBe(3);
    expect(sumOf(text, 'parlance_calls_live', { live_state: 'talking' })).toBe(1);
    expect(sumOf(text, 'parlance_delivery_overdue_seconds')).toBe(300);
    expect(sumOf(text, 'parlance_mysql_connections')).toBeGreaterThan(0);
    gaugeLoad(metrics, null);
    const after = (await scrape()).text;
    for (const name of [
      'parlance_deliveries',
      'parlance_calls_live',
      'parlance_delivery_oldest_seconds',
      'parlance_delivery_overdue_seconds',
      'parlance_retention_age_seconds',
    ])
      expect(sumOf(after, name)).toBeUndefined();
  });
});
