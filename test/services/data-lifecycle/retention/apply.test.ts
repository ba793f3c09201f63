import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { updateRows } from '../../../../src/db/rows.ts';
import { callRecordings } from '../../../../src/db/tables/call-recordings.ts';
import { calls, type CallRow } from '../../../../src/db/tables/calls.ts';
import { carrierEvents } from '../../../../src/db/tables/carrier-events.ts';
import { deliveries } from '../../../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../../src/db/tables/delivery-attempts.ts';
import { journalEntries } from '../../../../src/db/tables/journal-entries.ts';
import { retentionPolicies } from '../../../../src/db/tables/retention-policies.ts';
import { turns } from '../../../../src/db/tables/turns.ts';
import { UnavailableError } from '../../../../src/domain/errors.ts';
import { callWorkflowId } from '../../../../src/domain/temporal-ids.ts';
import { beginPiece } from '../../../../src/services/calls/index.ts';
import { storeEvent } from '../../../../src/services/telephony/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  applyRetention,
  previewRetention,
  setRetentionPolicy,
} from '../../../../src/services/data-lifecycle/index.ts';
import type { Histories } from '../../../../src/temporal/histories-port.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';
import { noFiles } from '../../../support/no-files.ts';
import { insertTurn } from '../../../support/turn-rows.ts';

const dayMs = 86_400_000;

describe.each(bothDatabases)('retention on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  /** Workflow Ids that were deleted from Temporal. */
  const forgotten: string[] = [];
  const histories: Histories = {
    forget: (id) => Promise.resolve({ runs: forgotten.push(id), wasRunning: false }),
  };
  const clock = createTestClock('2026-11-21T12:00:00.000Z');

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());
  beforeEach(async () => {
    ctx = await createTestContext(database.db, { clock });
    forgotten.length = 0;
  });

  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  /** A call with a turn and a delivered webhook. */
  async function ended(
    days: number,
    changes: Partial<CallRow> = {},
  ): Promise<{ callId: number; agentId: number; deliveryId: number }> {
    const call = await insertEndedCall(ctx);
    await updateRows(database.db.manager, calls, {
      where: { id: call.callId, organizationId: ctx.organizationId },
      change: {
        endedAt: daysAgo(days),
        initialContext: { name: 'Ada' },
        gatheredContext: { day: 'Monday' },
        logs: { kept: true, realtime_feedback_events: [{ text: 'hello' }] },
        name: 'About Ada',
        ...changes,
      },
    });
    await insertTurn(ctx, call.callId, 'Hello, Ada here');
    const { id: deliveryId } = await insertDelivery(ctx, call, {
      state: 'succeeded',
      finishedAt: daysAgo(days),
      attemptCount: 1,
    });
    await database.db.getRepository(deliveryAttempts).insert({
      organizationId: ctx.organizationId,
      deliveryId,
      number: 1,
      state: 'succeeded',
      startedAt: daysAgo(days),
      durationMs: 5,
      statusCode: 200,
      error: null,
      responseExcerpt: 'thank you, Ada',
    });
    return { ...call, deliveryId };
  }
  const policy = (
    transcriptDays: number | null,
    variableDays: number | null,
    recordingDays = transcriptDays,
  ) => setRetentionPolicy({ ctx, input: { transcriptDays, variableDays, recordingDays } });
  const apply = () =>
    applyRetention({
      deps: { ...ctx, histories },
      input: { afterOrganizationId: ctx.organizationId - 1 },
      signal: new AbortController().signal,
    });
  /** Runs `meanwhile` between finding a call and removing its content. */
  const applyWhile = (meanwhile: () => Promise<unknown>) =>
    applyRetention({
      deps: {
        ...ctx,
        histories: {
          forget: async (id) => {
            await meanwhile();
            return await histories.forget(id);
          },
        },
      },
      input: { afterOrganizationId: ctx.organizationId - 1 },
      signal: new AbortController().signal,
    });
  const row = (id: number) => database.db.getRepository(calls).findOneByOrFail({ id });
  const turnCount = (callId: number) => database.db.getRepository(turns).countBy({ callId });

  test('says beforehand how many calls a policy would remove content of, and removes nothing', async () => {
    const old = await ended(11, { recordedAt: daysAgo(11) });
    await ended(9, { recordedAt: daysAgo(9) });
    const ages = { transcriptDays: 10, recordingDays: 8, variableDays: null };
    const preview = () => previewRetention({ ctx, input: ages });
    expect(await preview()).toEqual({ transcripts: 1, recordings: 2, variables: 0 });
    expect(await turnCount(old.callId)).toBe(1);
    await policy(10, null, 8);
    expect(await apply()).toMatchObject({ calls: 3 });
    expect(await preview()).toEqual({ transcripts: 0, recordings: 0, variables: 0 });
  });

  test('removes recordings after their own age, with files, pieces and links, and keeps the rest of the call', async () => {
    const removed: string[] = [];
    const files = {
      ...noFiles,
      remove: (key: string) => Promise.resolve(void removed.push(key)),
      removeAll: (key: string) => Promise.resolve(void removed.push(`${key}/`)),
    };
    const [fresh, old] = [
      await ended(9, { recordedAt: daysAgo(9) }),
      await ended(11, { recordedAt: daysAgo(11) }),
    ];
    await policy(null, null, 10);
    const applied = await applyRetention({
      deps: { ...ctx, histories, files },
      input: { afterOrganizationId: ctx.organizationId - 1 },
      signal: new AbortController().signal,
    });
    expect(applied).toMatchObject({ calls: 1, isDone: true, removed: { call_recordings: 1 } });
    expect([(await row(fresh.callId)).recordedAt, (await row(old.callId)).recordedAt]).toEqual([
      daysAgo(9),
      null,
    ]);
    expect(await turnCount(old.callId)).toBe(1);
    expect(removed).toEqual(
      expect.arrayContaining([`recordings/${old.callId}.wav`, `recordings/${old.callId}/`]),
    );
    expect(
      removed.filter(
        (key) =>
          key.startsWith(`recordings/${fresh.callId}.`) || key.startsWith(`recordings/${fresh.callId}/`),
      ),
    ).toEqual([]);
    expect(forgotten).toEqual([]);
  });

  test('removes transcripts and values after their own ages; keeps the call, its usage and disposition, and records the removals', async () => {
    const [fresh, middle, old] = [await ended(9), await ended(11), await ended(31)];
    await policy(10, 30);
    expect(await apply()).toMatchObject({
      organizationId: ctx.organizationId,
      calls: 3,
      isDone: true,
      removed: { turns: 2, deliveries: 1, delivery_attempts: 1 },
    });

    expect(await row(fresh.callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      transcriptErasedAt: null,
      variablesErasedAt: null,
      transcriptAvailable: true,
    });
    expect(await turnCount(fresh.callId)).toBe(1);
    expect(await row(middle.callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      name: 'About Ada',
      logs: { kept: true },
      transcriptErasedAt: clock.now(),
      variablesErasedAt: null,
      transcriptAvailable: false,
      disposition: 'user_qualified',
    });
    expect((await row(middle.callId)).logs).toEqual({ kept: true });
    expect(await turnCount(middle.callId)).toBe(0);
    expect(await row(old.callId)).toMatchObject({
      initialContext: {},
      gatheredContext: {},
      name: `WR-${old.callId}`,
      transcriptErasedAt: clock.now(),
      variablesErasedAt: clock.now(),
      disposition: 'user_qualified',
      state: 'ended',
    });
    expect(await database.db.getRepository(deliveries).findOneByOrFail({ id: old.deliveryId })).toMatchObject(
      { body: null, erasedAt: clock.now(), state: 'succeeded' },
    );
    expect(
      await database.db.getRepository(deliveryAttempts).findOneByOrFail({ deliveryId: old.deliveryId }),
    ).toMatchObject({ responseExcerpt: null, statusCode: 200 });
    expect(
      await database.db.getRepository(deliveries).findOneByOrFail({ id: middle.deliveryId }),
    ).toMatchObject({ body: expect.any(String), erasedAt: null });

    expect(await apply()).toMatchObject({ calls: 0, removed: {}, isDone: true });
    expect(
      await database.db
        .getRepository(retentionPolicies)
        .findOneByOrFail({ organizationId: ctx.organizationId }),
    ).toMatchObject({ appliedAt: clock.now() });
  });

  test('keeps live calls, calls of another organization, and content without a retention age', async () => {
    const foreign = await ended(400);
    ctx = await createTestContext(database.db, { clock });
    const [live, kept] = [await ended(400, { state: 'ending' }), await ended(400)];
    await policy(1, null);
    expect(await apply()).toMatchObject({ calls: 1 });
    expect([
      await turnCount(foreign.callId),
      await turnCount(live.callId),
      await turnCount(kept.callId),
    ]).toEqual([1, 1, 0]);
    expect(await row(kept.callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      variablesErasedAt: null,
    });
  });

  test('keeps the values of a call while one of its webhooks is pending, and removes them afterwards', async () => {
    const call = await ended(400);
    const { id } = await insertDelivery(ctx, call, { state: 'pending', nextAttemptAt: daysAgo(-1) });
    await policy(1, 1);
    // The query skips them, too: otherwise pages of waiting calls would never end.
    expect(await apply()).toMatchObject({ calls: 1, isDone: true });
    expect(await row(call.callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      transcriptErasedAt: clock.now(),
      variablesErasedAt: null,
    });
    expect(
      await database.db.getRepository(deliveries).countBy({ callId: call.callId, erasedAt: clock.now() }),
    ).toBe(0);
    await database.db.getRepository(deliveries).update({ id }, { state: 'dead_letter' });
    await apply();
    expect(
      await database.db.getRepository(deliveries).countBy({ callId: call.callId, erasedAt: clock.now() }),
    ).toBe(2);
  });

  test('keeps the values of a call if its webhook is sent again after the call was found', async () => {
    const call = await ended(2, { transcriptErasedAt: daysAgo(1) });
    await policy(1, 1);
    const result = await applyWhile(() =>
      database.db.getRepository(deliveries).update({ id: call.deliveryId }, { state: 'pending' }),
    );
    expect(result).toMatchObject({ calls: 1, removed: {} });
    expect(await row(call.callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      variablesErasedAt: null,
    });
    await database.db.getRepository(deliveries).update({ id: call.deliveryId }, { state: 'succeeded' });
    expect(await apply()).toMatchObject({ calls: 1, removed: { deliveries: 1 } });
    expect(await row(call.callId)).toMatchObject({ initialContext: {}, variablesErasedAt: clock.now() });
  });

  test('keeps the content of a call that goes on after it was found, because its Workflow was reset', async () => {
    const { callId } = await ended(2);
    await policy(1, 1);
    const result = await applyWhile(() =>
      database.db.getRepository(calls).update({ id: callId }, { state: 'talking' }),
    );
    expect(result).toMatchObject({ removed: {} });
    expect(await row(callId)).toMatchObject({
      initialContext: { name: 'Ada' },
      transcriptErasedAt: null,
      variablesErasedAt: null,
    });
    expect(await turnCount(callId)).toBe(1);
  });

  test('deletes the history of a call that Temporal may still have before the rows; changes nothing while Temporal is down', async () => {
    const [recent, old] = [await ended(3), await ended(40)];
    await policy(2, null);
    const away: Histories = {
      ...histories,
      forget: () =>
        Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' })),
    };
    await expect(
      applyRetention({
        deps: { ...ctx, histories: away },
        input: { afterOrganizationId: ctx.organizationId - 1 },
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({ code: 'unavailable' });
    expect((await row(recent.callId)).transcriptErasedAt).toBeNull();
    await apply();
    expect(forgotten).toEqual([callWorkflowId((await row(recent.callId)).uuid)]);
    expect(await turnCount(recent.callId)).toBe(0);
    expect(await turnCount(old.callId)).toBe(0);
  });

  // guarantee: unjoined-recording-expires
  test('finds a recording that was never joined by its pieces', async () => {
    const [fresh, old] = [await ended(3), await ended(5)];
    for (const { callId } of [fresh, old])
      await beginPiece({
        db: database.db,
        call: { callId, organizationId: ctx.organizationId, generation: 1 },
        form: { sampleRate: 8000, beganAt: daysAgo(5) },
      });
    await setRetentionPolicy({ ctx, input: { transcriptDays: null, variableDays: null, recordingDays: 4 } });
    expect(await apply()).toMatchObject({ calls: 1, removed: { call_recordings: 1 }, isDone: true });
    expect(
      await database.db.getRepository(callRecordings).findBy({ organizationId: ctx.organizationId }),
    ).toMatchObject([{ callId: fresh.callId }]);
    // Histories contain no sound, so none was deleted for a recording.
    expect(forgotten).toEqual([]);
    expect(await apply()).toMatchObject({ calls: 0, isDone: true });
  });

  test('removes carrier events with the values, and journals of lost hosts with the transcript', async () => {
    const call = await ended(40, {
      logs: {
        inbound_webhook: { raw_webhook_data: { from: '+4930' } },
        telephony_status_callbacks: [{ from: '+4930' }],
        kept: true,
      },
    });
    const at = { organizationId: ctx.organizationId, callId: call.callId };
    await storeEvent(database.db.manager, ctx, {
      ...at,
      message: {
        eventId: `e-${call.callId}`,
        eventType: 'call.hangup',
        occurredAt: daysAgo(40).toISOString(),
      },
      raw: Buffer.from('{"from":"+4930"}'),
    });
    await database.db.getRepository(journalEntries).insert({
      ...at,
      generation: 1,
      turnIndex: 1,
      visitIndex: 0,
      toolRound: 0,
      position: 0,
      kind: 'clause',
      text: 'Hello Ada',
      data: null,
      sentAt: null,
      playedAt: null,
      heardText: null,
      writtenAt: daysAgo(40),
    });
    await policy(30, 50);
    expect(await apply()).toMatchObject({ removed: { journal_entries: 1 } });
    expect((await row(call.callId)).logs).toHaveProperty('inbound_webhook');
    await policy(30, 30);
    expect(await apply()).toMatchObject({ removed: { carrier_events: 1 } });
    expect((await row(call.callId)).logs).toEqual({ kept: true });
    expect(await database.db.getRepository(carrierEvents).findBy(at)).toMatchObject([
      { raw: null, eventType: 'call.hangup' },
    ]);
  });

  test("removes a disposition in the model's own words with the transcript, and keeps an extracted one", async () => {
    const reason = await ended(5, {
      disposition: 'Ada wants tea',
      tags: ['Ada wants tea', 'user_speech', 'end_call_tool'],
    });
    const code = await ended(5, { disposition: 'tea_ordered', tags: ['tea_ordered', 'user_speech', 'Ada'] });
    await policy(1, 1);
    await apply();
    expect(await row(reason.callId)).toMatchObject({
      disposition: 'erased',
      tags: ['user_speech', 'end_call_tool'],
    });
    expect(await row(code.callId)).toMatchObject({
      disposition: 'tea_ordered',
      tags: ['tea_ordered', 'user_speech'],
    });
  });

  test('processes many calls in pages', async () => {
    for (let index = 0; index < 60; index += 1) await insertEndedCall(ctx);
    await policy(null, null);
    await database.db
      .getRepository(retentionPolicies)
      .update({ organizationId: ctx.organizationId }, { transcriptDays: 1 });
    clock.advance(2 * dayMs);
    expect(await apply()).toMatchObject({ calls: 50, isDone: false });
    expect(await apply()).toMatchObject({ calls: 10, isDone: true });
  });
});
