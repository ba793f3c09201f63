import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { In } from 'typeorm';
import { calls } from '../../src/db/tables/calls.ts';
import { numberDials } from '../../src/db/tables/number-dials.ts';
import { retentionPolicies } from '../../src/db/tables/retention-policies.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { createTestContext } from '../support/database.ts';
import { insertEndedCall } from '../support/delivery-rows.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { insertTurn } from '../support/turn-rows.ts';

let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
});
afterAll(async () => await world.close());

const pass = async (): Promise<unknown> =>
  await world.temporal.client.workflow.execute('retentionWorkflow', {
    workflowId: `retention-${randomUUID()}`,
    taskQueue: world.queues.delivery,
  });

// guarantee: dial-times-kept-for-caps-only
test('dials of numbers are deleted when they no longer count for a cap, with any policy of their organization', async () => {
  const { db } = world.ctx;
  const ctx = await createTestContext(db);
  const hoursAgo = [24 * 20, 24 * 7 + 1, 24 * 7 - 1, 1];
  for (const hours of hoursAgo) {
    const { callId } = await insertEndedCall(ctx);
    await db.getRepository(numberDials).insert({
      organizationId: ctx.organizationId,
      phone: '12025550100',
      callId,
      dialedAt: new Date(Date.now() - hours * 3_600_000),
    });
  }
  await pass();
  const left = await db
    .getRepository(numberDials)
    .find({ where: { organizationId: ctx.organizationId }, order: { id: 'ASC' } });
  expect(left.map(({ dialedAt }) => Math.round((Date.now() - dialedAt.getTime()) / 3_600_000))).toEqual(
    hoursAgo.slice(2),
  );
});

test('one pass covers every organization with a policy, in pages, and records its time; the next one finds nothing', async () => {
  const { db } = world.ctx;
  const [one, none, many] = [
    await createTestContext(db),
    await createTestContext(db),
    await createTestContext(db),
  ];
  for (const [ctx, count] of [
    [one, 1],
    [none, 1],
    [many, 51],
  ] as const) {
    for (let index = 0; index < count; index += 1)
      await insertTurn(ctx, (await insertEndedCall(ctx)).callId, 'Hello');
    await db.getRepository(calls).update({ organizationId: ctx.organizationId }, { endedAt: new Date(0) });
  }
  for (const { organizationId } of [one, many])
    await db.getRepository(retentionPolicies).insert({
      organizationId,
      transcriptDays: 1,
      recordingDays: null,
      variableDays: null,
      updatedAt: new Date(),
      appliedAt: null,
    });

  expect(await pass()).toEqual({ calls: 52 });
  expect(
    await db.getRepository(turns).find({
      select: { organizationId: true },
      where: { organizationId: In([one, none, many].map(({ organizationId }) => organizationId)) },
    }),
  ).toEqual([{ organizationId: none.organizationId }]);
  expect((await db.getRepository(retentionPolicies).find()).map(({ appliedAt }) => appliedAt)).toEqual([
    expect.any(Date),
    expect.any(Date),
  ]);
  expect(await pass()).toEqual({ calls: 0 });
});
