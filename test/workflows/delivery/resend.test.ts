import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { deliveryWorkflowId, drainWorkflowId } from '../../../src/domain/temporal-ids.ts';
import type { DeliveryRow } from '../../../src/db/tables/deliveries.ts';
import { listEndpoints, turnOnEndpoint } from '../../../src/services/webhooks/index.ts';
import { insertDelivery, insertEndedCall } from '../../support/delivery-rows.ts';
import { deliverySuite } from '../../support/delivery-suite.ts';
import type { RunningDelivery } from '../../support/delivery-world.ts';
import { ok, statuses, waitUntil } from '../../support/receiver.ts';

const hourMs = 3_600_000;

const suite = deliverySuite();
const { receiverOf } = suite;

const resend = async (running: RunningDelivery) => {
  const { row } = running;
  const startedAttempt = (await running.record()).delivery.attemptCount + 1;
  await suite.world.starter.resend({
    deliveryUuid: row.uuid,
    callUuid: randomUUID(),
    organizationUuid: randomUUID(),
    startedAttempt,
    resend: true,
  });
};
const endOf = (uuid: string): Promise<unknown> =>
  suite.world.temporal.client.workflow.getHandle(deliveryWorkflowId(uuid)).result();

describe('a manual resend of a delivery', () => {
  test.each([
    ['succeeded', statuses(200)],
    ['dead_letter', statuses(404, 200)],
  ])(
    'after it ended as %s is a new attempt with the same id, the same bytes and the next number',
    async (state, answer) => {
      const receiver = await receiverOf({ answer });
      const running = await suite.world.deliver({ url: receiver.url });
      expect(await running.handle.result()).toMatchObject({ state });
      await resend(running);
      expect(await endOf(running.row.uuid)).toMatchObject({ state: 'succeeded', attempts: 2 });
      expect(receiver.requests.map(({ attempt, webhookId, body }) => ({ attempt, webhookId, body }))).toEqual(
        [1, 2].map((attempt) => ({ attempt, webhookId: running.row.uuid, body: running.row.body })),
      );
      const { delivery, attempts } = await running.record();
      expect(delivery).toMatchObject({ state: 'succeeded', attemptCount: 2, lastError: null });
      expect(attempts.map(({ number }) => number)).toEqual([1, 2]);
    },
  );

  test('while it waits is attempted at once by its running Workflow', async () => {
    const receiver = await receiverOf({ answer: statuses(503, 200) });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0, 10 * hourMs] });
    await running.waits();
    await resend(running);
    expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test.each([
    ['succeeds', 200],
    ['is refused for good', 404],
    ['was the last of its schedule', 503],
  ])('during the last attempt, which %s, is a new attempt', async (_, status) => {
    const gate = Promise.withResolvers<void>();
    const receiver = await receiverOf({
      answer: (_request, earlier) => ({
        kind: 'answer',
        status: earlier === 0 ? status : 200,
        ...(earlier === 0 ? { after: gate.promise } : {}),
      }),
    });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0] });
    await receiver.waitForRequests(1);
    await resend(running);
    gate.resolve();
    expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(receiver.requests.map(({ attempt, webhookId }) => ({ attempt, webhookId }))).toEqual(
      [1, 2].map((attempt) => ({ attempt, webhookId: running.row.uuid })),
    );
    expect((await running.record()).delivery).toMatchObject({ state: 'succeeded', attemptCount: 2 });
  });

  test('is dropped by a later cancellation, but a resend after the cancellation is sent', async () => {
    const receiver = await receiverOf({
      answer: (_request, earlier) => (earlier === 0 ? { kind: 'hang' } : { kind: 'answer', status: 200 }),
    });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0] });
    await receiver.waitForRequests(1);
    await resend(running);
    await running.handle.cancel();
    await expect(running.handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect((await running.record()).delivery).toMatchObject({ state: 'dead_letter', attemptCount: 1 });
    await resend(running);
    expect(await endOf(running.row.uuid)).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(receiver.requests).toHaveLength(2);
  });

  test('is sent once when it is requested twice for the same attempt', async () => {
    const receiver = await receiverOf({ answer: statuses(200) });
    const running = await suite.world.deliver({ url: receiver.url });
    await running.handle.result();
    const again = {
      deliveryUuid: running.row.uuid,
      callUuid: randomUUID(),
      organizationUuid: randomUUID(),
      startedAttempt: 2,
      resend: true,
    } as const;
    await suite.world.starter.resend(again);
    await endOf(running.row.uuid);
    await suite.world.starter.resend(again);
    expect(await endOf(running.row.uuid)).toMatchObject({ state: 'succeeded' });
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('a drain of many deliveries', () => {
  test('sends ended and waiting deliveries, oldest first, one after the other, and no others', async () => {
    const receiver = await receiverOf({ answer: () => ({ kind: 'answer', status: 200, delayMs: 30 }) });
    const call = await insertEndedCall(suite.world.ctx);
    const rows: DeliveryRow[] = [];
    for (let index = 0; index < 25; index += 1)
      rows.push(
        await insertDelivery(suite.world.ctx, call, {
          url: receiver.url,
          state: 'dead_letter',
          attemptCount: 11,
          finishedAt: new Date(),
        }),
      );
    await insertDelivery(suite.world.ctx, call, {
      url: receiver.url,
      state: 'succeeded',
      attemptCount: 1,
      finishedAt: new Date(),
    });

    const drainUuid = randomUUID();
    const selection = {
      organizationId: suite.world.ctx.organizationId,
      filter: { state: 'dead_letter', callId: call.callId },
      throughId: rows.at(-1)?.id ?? 0,
    } as const;
    await suite.world.starter.drain({ drainUuid, organizationUuid: randomUUID(), selection, afterId: 0 });
    await suite.world.temporal.client.workflow.getHandle(drainWorkflowId(drainUuid)).result();
    expect(receiver.requests.map(({ deliveryId, attempt }) => [deliveryId, attempt])).toEqual(
      rows.map(({ uuid }) => [uuid, 12]),
    );
  });
});

test('sends the missed deliveries of an endpoint that answered 410 when it is turned on, oldest first, each once', async () => {
  const receiver = await receiverOf({ answer: statuses(410) });
  const { agentId } = await insertEndedCall(suite.world.ctx);
  const all: RunningDelivery[] = [];
  for (let index = 0; index < 4; index += 1) {
    const running = await suite.world.deliver({ url: receiver.url, agentId, nodeId: 'hook' });
    expect(await running.handle.result()).toMatchObject({ state: 'dead_letter' });
    all.push(running);
  }
  expect(receiver.requests).toHaveLength(1);

  receiver.answerWith(ok);
  const [endpoint] = await listEndpoints({ ...suite.world, input: { state: 'off' } });
  expect(await turnOnEndpoint({ ...suite.world, input: { endpointKey: endpoint?.id ?? '' } })).toEqual({
    queued: 4,
  });
  await receiver.waitForRequests(5);
  await waitUntil(
    async () => (await all.at(-1)?.record())?.delivery.state === 'succeeded',
    180_000,
    () => 'the last one is not delivered',
  );
  expect(receiver.requests.slice(1).map(({ webhookId, attempt }) => [webhookId, attempt])).toEqual(
    all.map(({ row }) => [row.uuid, 2]),
  );
});
