import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deliveryScheduleMs } from '../../../src/domain/delivery/schedule.ts';
import { backlogWorkflowId, deliveryWorkflowId } from '../../../src/domain/temporal-ids.ts';
import { backlogOf } from '../../../src/services/webhooks/deliveries/backlog.ts';
import { insertEndedCall } from '../../support/delivery-rows.ts';
import { deliverySuite } from '../../support/delivery-suite.ts';
import type { RunningDelivery } from '../../support/delivery-world.ts';
import { ok, startReceiver } from '../../support/receiver.ts';

const hourMs = 3_600_000;
const long = [0, 10 * hourMs, 10 * hourMs];

const suite = deliverySuite();
const { receiverOf } = suite;

/** Deliveries to one webhook node of one agent. */
async function endpointAt(url: string): Promise<(schedule: number[]) => Promise<RunningDelivery>> {
  const { agentId } = await insertEndedCall(suite.world.ctx);
  return (schedule) => suite.world.deliver({ url, agentId, nodeId: 'hook' }, { schedule });
}

const uuids = (all: readonly RunningDelivery[]) => all.map(({ row }) => row.uuid);

test('a receiver that was down for six hours gets every delivery once, and a manual resend as a new attempt', async () => {
  // One hour of the schedule takes one second here.
  const schedule = deliveryScheduleMs.map((delayMs) => delayMs / 3600);
  const closed = await startReceiver();
  const { url } = closed;
  await closed.close();
  const deliver = await endpointAt(url);
  const down = pause(6000);
  const running: RunningDelivery[] = [];
  for (let index = 0; index < 12; index += 1) {
    running.push(await deliver(schedule));
    await pause(300);
  }
  await down;
  for (const each of running)
    expect((await each.record()).delivery).toMatchObject({ state: 'pending', lastStatusCode: null });

  const receiver = await receiverOf({ port: Number(new URL(url).port) });
  for (const { handle } of running) expect(await handle.result()).toMatchObject({ state: 'succeeded' });
  expect(receiver.requests.map(({ webhookId }) => webhookId).toSorted()).toEqual(uuids(running).toSorted());

  const [first] = running;
  if (first === undefined) throw new Error('nothing was delivered');
  const { attemptCount } = (await first.record()).delivery;
  await suite.world.starter.resend({
    deliveryUuid: first.row.uuid,
    callUuid: randomUUID(),
    organizationUuid: randomUUID(),
    startedAttempt: attemptCount + 1,
    resend: true,
  });
  await suite.world.temporal.client.workflow.getHandle(deliveryWorkflowId(first.row.uuid)).result();
  expect(receiver.requests).toHaveLength(13);
  expect(receiver.requests.at(-1)).toMatchObject({
    webhookId: first.row.uuid,
    attempt: attemptCount + 1,
    body: first.row.body,
  });
  expect((await first.record()).attempts.at(-1)).toMatchObject({
    number: attemptCount + 1,
    state: 'succeeded',
  });
});

test('the first success at an endpoint that was down wakes its waiting deliveries, oldest first, long before their schedule', async () => {
  const receiver = await receiverOf({ answer: () => ({ kind: 'answer', status: 503 }) });
  const deliver = await endpointAt(receiver.url);
  const waiting: RunningDelivery[] = [];
  for (let index = 0; index < 6; index += 1) waiting.push(await deliver(long));
  await Promise.all(waiting.map((each) => each.waits()));
  const elsewhere = await (await endpointAt(`${receiver.url}/elsewhere`))(long);
  await elsewhere.waits();

  receiver.answerWith(ok);
  const late = await deliver(long);
  for (const { handle } of waiting)
    expect(await handle.result()).toEqual({
      state: 'succeeded',
      attempts: 2,
      lastStatusCode: 200,
      reason: null,
    });
  expect(receiver.requests.slice(7).map(({ webhookId }) => webhookId)).toEqual(uuids([late, ...waiting]));
  expect((await elsewhere.record()).delivery.state).toBe('pending');
});

test('a delivery that its endpoint always refuses is woken once, not by every success of the others', async () => {
  const receiver = await receiverOf({ answer: () => ({ kind: 'answer', status: 503 }) });
  const deliver = await endpointAt(receiver.url);
  const refused = await deliver(long);
  await refused.waits();
  receiver.answerWith(({ webhookId }) => ({
    kind: 'answer',
    status: webhookId === refused.row.uuid ? 500 : 200,
  }));
  const backlog = await backlogOf(suite.world.ctx.db, refused.row);
  const others = [await deliver(long)];
  await others[0]?.handle.result();
  await suite.world.temporal.client.workflow
    .getHandle(backlogWorkflowId(backlog?.endpointKey ?? ''))
    .result();
  for (let index = 0; index < 3; index += 1) others.push(await deliver(long));
  await Promise.all(others.map(({ handle }) => handle.result()));
  expect(
    receiver
      .byDelivery()
      .get(refused.row.uuid)
      ?.map(({ attempt }) => attempt),
  ).toEqual([1, 2]);
  expect((await refused.record()).delivery).toMatchObject({ state: 'pending', attemptCount: 2 });
});
