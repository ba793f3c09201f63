import { beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { insertEndedCall } from '../../support/delivery-rows.ts';
import { deliverySuite } from '../../support/delivery-suite.ts';
import type { RunningDelivery } from '../../support/delivery-world.ts';
import { ok, statuses } from '../../support/receiver.ts';
import { deliveryStateQuery, type FailedFirstAttempt } from '../../../src/workflows/delivery/messages.ts';

const suite = deliverySuite();
const { receiverOf } = suite;

beforeAll(() => {
  suite.world.startPump();
});

const failed = (nextAttemptAt: Date): FailedFirstAttempt => ({
  nextAttemptAt: nextAttemptAt.toISOString(),
  host: 'hooks.example.com',
  statusCode: 503,
  error: 'The receiver answered 503',
});

const summaryOf = async ({ handle }: RunningDelivery) =>
  (await handle.describe()).raw.workflowExecutionInfo?.searchAttributes?.indexedFields;

/** Hands a delivery to its Workflow, as a pump does whose first attempt failed. */
const handOver = async (
  running: RunningDelivery,
  { nextAttemptAt, schedule }: { nextAttemptAt: Date; schedule?: number[] },
) =>
  await suite.world.starter.continueDelivery({
    callId: running.row.callId,
    nodeName: 'Hook',
    input: {
      deliveryUuid: running.row.uuid,
      callUuid: randomUUID(),
      organizationUuid: randomUUID(),
      continues: failed(nextAttemptAt),
      ...(schedule === undefined ? {} : { schedule }),
    },
  });

test('a delivery that is accepted at once has no Workflow', async () => {
  const receiver = await receiverOf();
  const running = await suite.world.forPump({ url: receiver.url });
  await receiver.waitForRequests(1);
  await expect(running.handle.describe()).rejects.toThrow(WorkflowNotFoundError);
});

// guarantee: second-attempt-by-durable-timer
test('a delivery whose first attempt failed goes on in its Workflow, after the wait of the schedule, with the same id and bytes', async () => {
  const receiver = await receiverOf({ answer: statuses(500, 200) });
  const running = await suite.world.forPump({ url: receiver.url });
  await running.waits();
  const { nextAttemptAt } = (await running.record()).delivery;
  expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 2 });
  const [first, second] = receiver.requests;
  expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect([second?.webhookId, second?.body]).toEqual([first?.webhookId, first?.body]);
  expect(second?.at.getTime()).toBeGreaterThanOrEqual(nextAttemptAt?.getTime() ?? Infinity);
  expect(await running.record()).toMatchObject({
    delivery: { state: 'succeeded', attemptCount: 2, pumpAt: null },
    attempts: [
      { number: 1, state: 'failed' },
      { number: 2, state: 'succeeded' },
    ],
  });
});

test('while it waits, its Workflow shows the first attempt, the next one and its search attributes', async () => {
  const running = await suite.world.deliver(
    { attemptCount: 1 },
    { continues: failed(new Date('2126-01-01')) },
  );
  expect(await running.handle.query(deliveryStateQuery)).toEqual({
    state: 'waiting',
    attempt: 2,
    lastAttempt: 11,
    nextAttemptAt: '2126-01-01T00:00:00.000Z',
    lastStatusCode: 503,
    lastError: 'The receiver answered 503',
  });
  expect(Object.keys((await summaryOf(running)) ?? {})).toEqual(
    expect.arrayContaining(['OrgId', 'Attempt', 'WebhookPending', 'NextAttemptAt', 'FailureCode']),
  );
  await running.handle.terminate();
});

test('a second attempt that was due while Temporal was away is made at once, and the schedule goes on', async () => {
  const receiver = await receiverOf({ answer: statuses(503, 200) });
  const running = await suite.world.deliver(
    { url: receiver.url, attemptCount: 1 },
    { continues: failed(new Date('2026-01-01')), schedule: [0, 3_600_000, 100] },
  );
  expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 3 });
  expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([2, 3]);
});

// guarantee: delivery-continued-once
test('a delivery that was handed over before, and has ended, is not begun again', async () => {
  const receiver = await receiverOf();
  const running = await suite.world.deliver({ url: receiver.url });
  await running.handle.result();
  const { runId } = await running.handle.describe();
  await handOver(running, { nextAttemptAt: new Date() });
  expect((await running.handle.describe()).runId).toBe(runId);
});

test('a success of the pump wakes the deliveries that wait for the endpoint, oldest first', async () => {
  const receiver = await receiverOf({ answer: statuses(503, 503) });
  const { agentId } = await insertEndedCall(suite.world.ctx);
  const endpoint = { url: receiver.url, agentId, nodeId: 'hook' };
  const waiting = [
    await suite.world.forPump(endpoint),
    await suite.world.forPump(endpoint),
    await suite.world.forPump(endpoint),
  ];
  for (const each of waiting) await each.waits();
  for (const { row } of waiting)
    await suite.world.ctx.db.query('UPDATE deliveries SET next_attempt_at = ? WHERE id = ?', [
      new Date('2126-01-01'),
      row.id,
    ]);
  receiver.answerWith(ok);
  const late = await suite.world.forPump(endpoint);
  for (const { handle } of waiting) expect(await handle.result()).toMatchObject({ state: 'succeeded' });
  const arrived = receiver.requests.slice(3).map(({ webhookId }) => webhookId);
  expect(arrived).toEqual([late, ...waiting].map(({ row }) => row.uuid));
});

test('a delivery that is sent again by hand while its first attempt is under way is sent again after it', async () => {
  let release = () => {};
  const answered = new Promise<void>((resolve) => {
    release = resolve;
  });
  const receiver = await receiverOf({
    answer: (_, earlier) => ({ kind: 'answer', status: 200, ...(earlier === 0 ? { after: answered } : {}) }),
  });
  const running = await suite.world.forPump({ url: receiver.url });
  await receiver.waitForRequests(1);
  await suite.world.starter.resend({
    deliveryUuid: running.row.uuid,
    callUuid: randomUUID(),
    organizationUuid: randomUUID(),
    startedAttempt: 2,
    resend: true,
  });
  release();
  expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
});
