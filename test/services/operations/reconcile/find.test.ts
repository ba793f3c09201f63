import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callRecordings } from '../../../../src/db/tables/call-recordings.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { write } from '../../../../src/services/kernel/write.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  endWithin,
  findLostDeliveries,
  findOrphanedCalls,
  findUnjoinedRecordings,
  findUnsentCalls,
} from '../../../../src/services/operations/index.ts';
import type { Executions } from '../../../../src/temporal/executions-port.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { node } from '../../../support/definitions.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';

const minuteMs = 60_000;
const clock = createTestClock('2026-11-21T12:00:00.000Z');
const signal = new AbortController().signal;
/** Reports that no Workflow runs. */
const executions: Executions = {
  callState: () => Promise.resolve('absent'),
  deliveryState: () => Promise.resolve('absent'),
  campaignState: () => Promise.resolve('absent'),
  importState: () => Promise.resolve('absent'),
};

describe.each(bothDatabases)('reconciliation on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db, { clock });
  });
  afterAll(async () => await database.drop());

  const hook = node('hook', 'webhook', { name: 'Hook', endpoint_url: 'https://receiver.test/hook' });

  async function ended(
    endedAt: string,
    { hasToken = true, nodes = [hook] as unknown[] } = {},
  ): Promise<{ callId: number; agentId: number }> {
    const call = await insertEndedCall(ctx, { nodes });
    await database.db
      .getRepository(calls)
      .update(
        { id: call.callId },
        { endedAt: new Date(endedAt), publicToken: hasToken ? randomUUID() : null },
      );
    return call;
  }

  test('finds ended calls of the window that lack their webhooks, in pages', async () => {
    const deps = { db: database.db, clock, executions };
    const find = (afterId: number) =>
      findUnsentCalls({ deps, input: { afterId, graceMs: 2 * minuteMs, windowMs: 60 * minuteMs }, signal });
    await ended('2026-11-21T10:59:00.000Z'); // before the window
    await ended('2026-11-21T11:59:00.000Z'); // its Workflow may be about to render them
    await ended('2026-11-21T11:30:00.000Z', { hasToken: false });
    await insertDelivery(ctx, await ended('2026-11-21T11:30:00.000Z'), { state: 'succeeded' });
    const unsent: number[] = [];
    for (let index = 0; index < 102; index += 1)
      unsent.push((await ended('2026-11-21T11:30:00.000Z')).callId);
    await ended('2026-11-21T11:30:00.000Z', { nodes: [] }); // no webhooks, but it was read, which creates a link
    const first = await find(0);
    const second = await find(first.nextAfterId ?? 0);
    expect([...first.items, ...second.items].map(({ callId }) => callId)).toEqual(unsent);
    expect({ pages: [first.items.length, second.items.length], end: second.nextAfterId }).toEqual({
      pages: [100, 2],
      end: null,
    });
    expect(first.items[0]).toMatchObject({
      organizationId: ctx.organizationId,
      organizationUuid: expect.stringMatching(/-/),
      callUuid: expect.stringMatching(/-/),
    });
  });

  test('finds each ended call of the window whose recording is in pieces once, unless its Workflow runs', async () => {
    const find = async (state: 'absent' | 'running') =>
      (
        await findUnjoinedRecordings({
          deps: {
            db: database.db,
            clock,
            executions: { ...executions, callState: () => Promise.resolve(state) },
          },
          input: { afterId: 0, graceMs: 2 * minuteMs, windowMs: 60 * minuteMs },
          signal,
        })
      ).items.map(({ callId }) => callId);
    const pieces = async (endedAt: string, generations: number[], state: 'ended' | 'talking' = 'ended') => {
      const { callId } = await ended(endedAt, { nodes: [] });
      await database.db.getRepository(calls).update({ id: callId }, { state });
      for (const generation of generations)
        await database.db.getRepository(callRecordings).insert({
          callId,
          organizationId: ctx.organizationId,
          generation,
          storageKey: `${callId}-${generation}`,
          sampleRate: 8000,
          beganAt: clock.now(),
          endedAt: null,
        });
      return callId;
    };
    const wanted = await pieces('2026-11-21T11:30:00.000Z', [1, 2]);
    for (const [at, generations] of [
      ['2026-11-21T10:59:00.000Z', [1]],
      ['2026-11-21T11:59:00.000Z', [1]],
      ['2026-11-21T11:30:00.000Z', []],
    ] as const)
      await pieces(at, [...generations]);
    const live = await pieces('2026-11-21T11:30:00.000Z', [1], 'talking');
    expect([await find('absent'), await find('running')]).toEqual([[wanted], []]);
    await database.db.getRepository(calls).update({ id: live }, { state: 'ended' });
  });

  test('finds calls that were created in advance and not begun within a day, and closes them as refused', async () => {
    const find = async () =>
      (
        await findOrphanedCalls({
          deps: { db: database.db, clock, executions },
          input: { afterId: 0, graceMs: 2 * minuteMs },
          signal,
        })
      ).items.map(({ callId }) => callId);
    const insert = async (createdAt: string) => {
      const { callId } = await insertEndedCall(ctx);
      await database.db
        .getRepository(calls)
        .update(
          { id: callId },
          { state: 'created', createdAt: new Date(createdAt), startedAt: null, endedAt: null },
        );
      return callId;
    };
    const old = await insert('2026-11-20T11:59:00.000Z');
    await insert('2026-11-20T12:01:00.000Z');
    expect(await find()).toEqual([old]);
    expect(
      await write(ctx, (tx) =>
        endWithin(tx, { ctx, prices: undefined, input: { callId: old, wasStopped: false } }),
      ),
    ).toBe(false);
    expect(await database.db.getRepository(calls).findOneBy({ id: old })).toMatchObject({
      state: 'refused',
      endedAt: clock.now(),
    });
    expect(await find()).toEqual([]);
  });

  test('finds pending deliveries whose next attempt is overdue', async () => {
    const deps = { db: database.db, clock, executions };
    const find = async () =>
      (await findLostDeliveries({ deps, input: { afterId: 0, graceMs: 2 * minuteMs }, signal })).items.map(
        ({ deliveryId }) => deliveryId,
      );
    const call = await insertEndedCall(ctx);
    const insert = async (changes: Parameters<typeof insertDelivery>[2]) =>
      (await insertDelivery(ctx, call, changes)).id;
    const neverBegun = await insert({});
    const overdue = await insert({ attemptCount: 1, nextAttemptAt: new Date('2026-11-21T11:57:00.000Z') });
    await insert({ attemptCount: 1, nextAttemptAt: new Date('2026-11-21T11:59:00.000Z') });
    await insert({ attemptCount: 1, nextAttemptAt: new Date('2026-11-21T13:00:00.000Z') });
    await insert({ createdAt: new Date('2026-11-21T11:59:00.000Z') });
    await insert({ state: 'dead_letter', attemptCount: 11 });
    expect(await find()).toEqual([neverBegun, overdue]);
  });
});
