import { randomUUID } from 'node:crypto';
import { backlogWorkflowId, deliveryWorkflowId, drainWorkflowId } from '../../src/domain/temporal-ids.ts';
import { retryNowSignal } from '../../src/workflows/delivery/messages.ts';
import { endpointKeyOf } from '../../src/services/webhooks/deliveries/endpoint.ts';
import { insertDelivery, insertEndedCall } from '../../test/support/delivery-rows.ts';
import {
  createDeliveryWorld,
  type DeliveryWorld,
  type RunningDelivery,
} from '../../test/support/delivery-world.ts';
import { ok, startReceiver, statuses, type AnswerRule, type Receiver } from '../../test/support/receiver.ts';
import type { Recording } from './recording.ts';

const hourMs = 3_600_000;

interface Scenario {
  answer: AnswerRule;
  /** Answers the Workflow Id whose history is recorded. */
  play(world: DeliveryWorld, receiver: Receiver): Promise<string>;
}

const idOf = ({ row }: RunningDelivery) => deliveryWorkflowId(row.uuid);

/** One delivery; `act` runs when the delivery waits for its second attempt. */
const delivers = (
  answer: AnswerRule,
  schedule: number[],
  act?: (running: RunningDelivery) => Promise<unknown>,
): Scenario => ({
  answer,
  async play(world, { url }) {
    const running = await world.deliver({ url }, { schedule });
    if (act !== undefined) {
      await running.waits();
      await act(running);
    }
    return idOf(running);
  },
});

const deliveries: Record<string, Scenario> = {
  'continued-after-the-first-attempt': {
    answer: statuses(503, 200),
    async play(world, { url }) {
      const continues = {
        nextAttemptAt: new Date(Date.now() + 500).toISOString(),
        host: 'hooks.example.com',
        statusCode: 500,
        error: 'The receiver answered 500',
      };
      return idOf(await world.deliver({ url, attemptCount: 1 }, { continues, schedule: [0, 100, 100] }));
    },
  },
  'accepted-at-once': delivers(ok, [0, hourMs]),
  'accepted-after-failures': delivers(statuses(500, 429, 200), [0, 100, 100, 100]),
  'final-answer': delivers(statuses(404), [0, hourMs]),
  'no-attempt-left': delivers(statuses(503), [0, 100]),
  'canceled-while-waiting': delivers(statuses(503), [0, hourMs], ({ handle }) => handle.cancel()),
  'retried-by-hand': delivers(statuses(503, 200), [0, hourMs], ({ handle }) => handle.signal(retryNowSignal)),
  'sent-again-after-its-end': {
    answer: ok,
    async play(world, { url }) {
      const running = await world.deliver({ url });
      await running.handle.result();
      await world.starter.resend({
        deliveryUuid: running.row.uuid,
        callUuid: randomUUID(),
        organizationUuid: randomUUID(),
        startedAttempt: 2,
        resend: true,
      });
      return idOf(running);
    },
  },
  'sent-again-under-way': {
    answer: (_request, earlier) => ({ kind: 'answer', status: 200, delayMs: earlier === 0 ? 1000 : 0 }),
    async play(world, receiver) {
      const running = await world.deliver({ url: receiver.url });
      await receiver.waitForRequests(1);
      await world.starter.resend({
        deliveryUuid: running.row.uuid,
        callUuid: randomUUID(),
        organizationUuid: randomUUID(),
        startedAttempt: 2,
        resend: true,
      });
      return idOf(running);
    },
  },
  'wakes-a-backlog': {
    answer: statuses(503, 200),
    async play(world, { url }) {
      const { first, others } = await waiting(world, url, 2);
      await first.handle.signal(retryNowSignal);
      await Promise.all(others.map(({ handle }) => handle.result()));
      return idOf(first);
    },
  },
};

const drains: Record<string, Scenario> = {
  'of-ended-and-waiting': {
    answer: statuses(503, 200),
    async play(world, { url }) {
      const { first } = await waiting(world, url, 1);
      const call = { callId: first.row.callId, agentId: first.row.agentId };
      await insertDelivery(world.ctx, call, {
        url,
        state: 'dead_letter',
        attemptCount: 11,
        finishedAt: new Date(),
      });
      const { id } = await insertDelivery(world.ctx, call, {
        url,
        state: 'succeeded',
        attemptCount: 1,
        finishedAt: new Date(),
      });
      return await drain(world, { callId: call.callId, throughId: id });
    },
  },
  'of-nothing': {
    answer: ok,
    play: async (world) =>
      await drain(world, { callId: (await insertEndedCall(world.ctx)).callId, throughId: 0 }),
  },
};

const backlogs: Record<string, Scenario> = {
  'endpoint-is-back': {
    answer: statuses(503, 200),
    async play(world, { url }) {
      const { first, others } = await waiting(world, url, 3);
      await first.handle.signal(retryNowSignal);
      await Promise.all(others.map(({ handle }) => handle.result()));
      return backlogWorkflowId(endpointKeyOf(first.row));
    },
  },
  'endpoint-fails-again': {
    answer: statuses(503),
    async play(world, receiver) {
      const { first } = await waiting(world, receiver.url, 5);
      receiver.answerWith(({ deliveryId }) => ({
        kind: 'answer',
        status: deliveryId === first.row.uuid ? 200 : 503,
      }));
      await first.handle.signal(retryNowSignal);
      await first.handle.result();
      return backlogWorkflowId(endpointKeyOf(first.row));
    },
  },
};

/** Makes several deliveries to one endpoint that wait for their second attempt. */
async function waiting(
  world: DeliveryWorld,
  url: string,
  count: number,
): Promise<{ first: RunningDelivery; others: RunningDelivery[] }> {
  const { agentId } = await insertEndedCall(world.ctx);
  const deliver = () => world.deliver({ url, agentId, nodeId: 'hook' }, { schedule: [0, hourMs, hourMs] });
  const first = await deliver();
  const others: RunningDelivery[] = [];
  while (others.length < count - 1) others.push(await deliver());
  for (const each of [first, ...others]) await each.waits();
  return { first, others };
}

async function drain(
  { ctx, starter }: DeliveryWorld,
  { callId, throughId }: { callId: number; throughId: number },
): Promise<string> {
  const drainUuid = randomUUID();
  await starter.drain({
    drainUuid,
    organizationUuid: randomUUID(),
    selection: { organizationId: ctx.organizationId, filter: { callId }, throughId },
    afterId: 0,
  });
  return drainWorkflowId(drainUuid);
}

export const openDeliveries = (): Promise<Recording> => open(deliveries);
export const openDrains = (): Promise<Recording> => open(drains);
export const openBacklogs = (): Promise<Recording> => open(backlogs);

/** Deliveries to a receiver in this process. */
async function open(scenarios: Record<string, Scenario>): Promise<Recording> {
  const world = await createDeliveryWorld();
  await world.startWorker();
  const receivers: Receiver[] = [];
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      const scenario = scenarios[name];
      if (scenario === undefined) throw new Error(`no scenario ${name}`);
      const receiver = await startReceiver({ answer: scenario.answer });
      receivers.push(receiver);
      return await scenario.play(world, receiver);
    },
    async close() {
      await world.close();
      for (const receiver of receivers) await receiver.close();
    },
  };
}
