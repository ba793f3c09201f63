import { beforeAll, describe, expect, test } from '@jest/globals';
import { ActivityFailure, CancelledFailure, WorkflowFailedError } from '@temporalio/client';
import { InvariantError } from '../../../src/domain/errors.ts';
import { addWebhookSecret } from '../../../src/services/identity/index.ts';
import { deliveryStateQuery, retryNowSignal } from '../../../src/workflows/delivery/messages.ts';
import { testSecrets } from '../../support/database.ts';
import { deliverySuite } from '../../support/delivery-suite.ts';
import { createDeliveryWorld, type RunningDelivery } from '../../support/delivery-world.ts';
import { startReceiver, statuses, type ReceiverOptions } from '../../support/receiver.ts';

const hourMs = 3_600_000;
const soon = [0, 100, 100, 100, 100];

const suite = deliverySuite();
let secrets: string[];

beforeAll(async () => {
  const { ctx } = suite.world;
  const made = [
    await addWebhookSecret({ ctx, secrets: testSecrets }),
    await addWebhookSecret({ ctx, secrets: testSecrets }),
  ];
  secrets = made.map(({ secret }) => secret);
});

const receiverOf = (options: ReceiverOptions = {}) => suite.receiverOf({ secrets, ...options });

const typedAttributes = async ({ handle }: RunningDelivery) => {
  const { typedSearchAttributes } = await handle.describe();
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
};

describe('a delivery', () => {
  test('is one request when it is accepted at once, signed by both live secrets, with the stored bytes', async () => {
    const receiver = await receiverOf();
    const running = await suite.world.deliver({ url: `${receiver.url}/in?token=private` });
    expect(await running.handle.result()).toEqual({
      state: 'succeeded',
      attempts: 1,
      lastStatusCode: 200,
      reason: null,
    });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/in?token=private',
        body: running.row.body,
        deliveryId: running.row.uuid,
        webhookId: running.row.uuid,
        attempt: 1,
        verifiedBy: [0, 1],
      },
    ]);
    expect(await typedAttributes(running)).toMatchObject({ Attempt: 1, WebhookPending: false });
    const { delivery } = await running.record();
    expect(delivery).toMatchObject({ state: 'succeeded', attemptCount: 1, lastStatusCode: 200 });
  });

  test('is retried with the same id, the same bytes and a new timestamp, and each attempt is recorded', async () => {
    const receiver = await receiverOf({ answer: statuses(500, 429, 200) });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0, 1100, 100] });
    expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 3 });
    const { requests } = receiver;
    expect(requests.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(requests.map(({ webhookId, body }) => `${webhookId} ${body}`)).size).toBe(1);
    expect(requests.every(({ verifiedBy }) => verifiedBy.length === 2)).toBe(true);
    const moments = requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(moments[2]).toBeGreaterThan(moments[0] ?? 0);
    const { attempts } = await running.record();
    expect(attempts.map(({ number, state, statusCode }) => [number, state, statusCode])).toEqual([
      [1, 'failed', 500],
      [2, 'failed', 429],
      [3, 'succeeded', 200],
    ]);
  });

  // guarantee: webhook-retried-by-durable-timer
  test('waits as scheduled, by a durable timer, at most a tenth longer', async () => {
    const receiver = await receiverOf({ answer: statuses(500, 200) });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0, 1000] });
    await running.handle.result();
    const history = await running.handle.fetchHistory();
    const timers = (history.events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer == null
        ? []
        : [
            Number(timer.startToFireTimeout?.seconds ?? 0) * 1000 +
              (timer.startToFireTimeout?.nanos ?? 0) / 1_000_000,
          ],
    );
    expect(timers).toHaveLength(1);
    expect(timers[0]).toBeGreaterThanOrEqual(1000);
    expect(timers[0]).toBeLessThanOrEqual(1100);
  });

  test('waits for Retry-After when that is longer than the schedule', async () => {
    const receiver = await receiverOf({
      answer: (_request, earlier) =>
        earlier === 0
          ? { kind: 'answer', status: 429, headers: { 'retry-after': '2' } }
          : { kind: 'answer', status: 200 },
    });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: soon });
    await running.handle.result();
    const [first, second] = receiver.requests;
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  test.each([400, 404, 302, 410])(
    'is a dead letter at once on %i, and the Workflow completes',
    async (status) => {
      const receiver = await receiverOf({
        answer: () => ({ kind: 'answer', status, headers: { location: 'http://127.0.0.1:1/' } }),
      });
      const running = await suite.world.deliver({ url: receiver.url }, { schedule: soon });
      expect(await running.handle.result()).toMatchObject({
        state: 'dead_letter',
        attempts: 1,
        lastStatusCode: status,
        reason: expect.stringContaining(String(status)),
      });
      expect(receiver.requests).toHaveLength(1);
      expect(await typedAttributes(running)).toMatchObject({
        WebhookPending: false,
        NeedsAttention: true,
        FailureCode: `webhook_http_${status}`,
      });
    },
  );

  test('is a dead letter after its last attempt, with the last error in its row', async () => {
    const running = await suite.world.deliver({ url: 'http://127.0.0.1:1/' }, { schedule: [0, 50, 50] });
    expect(await running.handle.result()).toMatchObject({
      state: 'dead_letter',
      attempts: 3,
      reason: 'no success in 3 attempts',
    });
    const { delivery, attempts } = await running.record();
    expect(attempts).toHaveLength(3);
    expect(delivery).toMatchObject({
      state: 'dead_letter',
      lastError: 'no success in 3 attempts; last: The connection to 127.0.0.1:1 failed (ECONNREFUSED)',
    });
    expect(await typedAttributes(running)).toMatchObject({ FailureCode: 'webhook_unreachable' });
  });

  test('continues the attempt numbers of a delivery that is sent again', async () => {
    const receiver = await receiverOf();
    const running = await suite.world.deliver(
      { url: receiver.url, attemptCount: 11 },
      { startedAttempt: 12 },
    );
    expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 12 });
    expect(receiver.requests).toMatchObject([{ attempt: 12 }]);
  });
});

describe('people', () => {
  // guarantee: waiting-delivery-shows-next-attempt
  test('see a waiting delivery in the row, the query, the attributes and the details, without address or query string', async () => {
    const receiver = await receiverOf({ answer: statuses(503, 200) });
    const running = await suite.world.deliver(
      { url: `${receiver.url}/private/path?token=private` },
      { schedule: [0, 10 * hourMs] },
    );
    const state = () => running.handle.query(deliveryStateQuery);
    await running.waits();
    const { delivery } = await running.record();
    expect(await state()).toEqual({
      state: 'waiting',
      attempt: 2,
      lastAttempt: 2,
      nextAttemptAt: delivery.nextAttemptAt?.toISOString(),
      lastStatusCode: 503,
      lastError: 'The receiver answered 503',
    });
    expect(await typedAttributes(running)).toMatchObject({
      Attempt: 1,
      WebhookPending: true,
      FailureCode: 'webhook_http_503',
      NextAttemptAt: delivery.nextAttemptAt,
    });
    const details: unknown = await running.handle.query('__temporal_workflow_metadata');
    expect(JSON.stringify(details)).toMatch(/Attempt 2 of 2 · next in 1[01](\.\d)? h/);
    const history = JSON.stringify(await running.handle.fetchHistory());
    const decoded = `${JSON.stringify(details)} ${[...history.matchAll(/"data":"([\w+/=]+)"/g)].map(([, text]) => Buffer.from(text ?? '', 'base64').toString()).join(' ')}`;
    expect(decoded).toContain(`Attempt 1 of 2`);
    expect(decoded).not.toContain('private');

    await running.handle.signal(retryNowSignal);
    expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  test('who cancel a waiting delivery get a dead letter with that reason', async () => {
    const receiver = await receiverOf({ answer: statuses(503) });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0, hourMs] });
    await running.waits();
    await running.handle.cancel();
    await expect(running.handle.result()).rejects.toThrow(WorkflowFailedError);
    expect((await running.handle.describe()).status.name).toBe('CANCELLED');
    expect((await running.record()).delivery).toMatchObject({
      state: 'dead_letter',
      lastError: 'canceled by an operator; last: The receiver answered 503',
      nextAttemptAt: null,
    });
  });

  test('who cancel during an attempt do not leave the delivery pending', async () => {
    const receiver = await receiverOf({ answer: () => ({ kind: 'hang' }) });
    const running = await suite.world.deliver({ url: receiver.url }, { schedule: [0, hourMs] });
    await receiver.waitForRequests(1);
    await running.handle.cancel();
    const error: unknown = await running.handle.result().catch((each: unknown) => each);
    expect(error instanceof WorkflowFailedError && error.cause instanceof CancelledFailure).toBe(true);
    expect((await running.record()).delivery).toMatchObject({
      state: 'dead_letter',
      lastError: expect.stringContaining('canceled by an operator'),
    });
  });
});

describe('internal faults', () => {
  // guarantee: dead-letter-shows-reason
  test('a bug ends the delivery with a dead letter in the row and a failed Workflow with a readable message', async () => {
    const broken = await createDeliveryWorld();
    try {
      await broken.startWorker({
        sign: () => {
          throw new InvariantError('The encryption key old is not in the key ring');
        },
      });
      const running = await broken.deliver({ url: 'http://127.0.0.1:1/' });
      const error: unknown = await running.handle.result().catch((each: unknown) => each);
      expect(
        error instanceof WorkflowFailedError &&
          error.cause instanceof ActivityFailure &&
          error.cause.cause?.message,
      ).toBe('invariant: The encryption key old is not in the key ring');
      expect((await running.record()).delivery).toMatchObject({
        state: 'dead_letter',
        lastError: expect.stringContaining('an internal fault'),
      });
    } finally {
      await broken.close();
    }
  });

  test('an attempt of a stopped worker continues at the next worker under the same number', async () => {
    const own = await createDeliveryWorld();
    const receiver = await startReceiver({
      answer: (_request, earlier) => (earlier === 0 ? { kind: 'hang' } : { kind: 'answer', status: 200 }),
    });
    try {
      const first = await own.startWorker({ timeoutMs: 20_000 });
      const running = await own.deliver({ url: receiver.url });
      await receiver.waitForRequests(1);
      await first.stop();
      await own.startWorker();
      expect(await running.handle.result()).toMatchObject({ state: 'succeeded', attempts: 1 });
      expect(receiver.requests.map(({ attempt, webhookId }) => [attempt, webhookId])).toEqual([
        [1, running.row.uuid],
        [1, running.row.uuid],
      ]);
      expect((await running.record()).attempts).toMatchObject([{ number: 1, state: 'succeeded' }]);
    } finally {
      await receiver.close();
      await own.close();
    }
  });
});
