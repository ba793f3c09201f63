import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { calls } from '../../../src/db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../src/db/tables/delivery-attempts.ts';
import { LimitError, UnavailableError } from '../../../src/domain/errors.ts';
import { createGuardedClient, type GuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { signWebhook } from '../../../src/providers/http/webhook-signer.ts';
import { noTracing } from '../../../src/runtime/tracing.ts';
import { addWebhookSecret } from '../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import {
  attemptDelivery,
  startDeliveryPump,
  type DeliveryPump,
  type PumpDeps,
  type PumpLimits,
} from '../../../src/services/webhooks/index.ts';
import {
  committingDeliveries,
  Handover,
  insertDelivery as insertHandedOver,
} from '../../../src/services/webhooks/pump/handover.ts';
import { leaseDeliveries } from '../../../src/services/webhooks/pump/lease.ts';
import { recordOutcomes } from '../../../src/services/webhooks/pump/record.ts';
import type { Recorded } from '../../../src/services/webhooks/deliveries/record-outcome.ts';
import type { DeliveryFollower } from '../../../src/temporal/delivery-port.ts';
import {
  bothDatabases,
  createTestContext,
  createTestDatabase,
  testSecrets,
  type TestDatabase,
} from '../../support/database.ts';
import { insertDelivery, insertEndedCall, newDelivery } from '../../support/delivery-rows.ts';
import { ok, startReceiver, type AnswerRule, type Receiver } from '../../support/receiver.ts';
import { createGate } from '../../support/scripted-llm.ts';
import { until } from '../../support/until.ts';

type Continued = Parameters<DeliveryFollower['continueDelivery']>[0];

/** Short waits. Only tests of leases shorten those, too: on a busy machine a short one expires before its time. */
const short: Partial<PumpLimits> = {
  pollMs: 20,
  followUpRetryMs: 100,
  faultRetryMs: 100,
  stopMs: 100,
};

describe.each(bothDatabases)('the pump of webhooks on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let http: GuardedClient;
  let deps: PumpDeps;
  let continued: Continued[];
  let backlogs: string[];
  let ends: (() => Promise<void>)[];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
  });
  afterAll(async () => {
    await http.close();
    await database.drop();
  });
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
    ends = [];
    continued = [];
    backlogs = [];
    deps = {
      ...ctx,
      clock: { now: () => new Date() },
      secrets: testSecrets,
      http,
      sign: signWebhook,
      timeoutMs: 600_000, // no attempt is given up by itself, however busy the machine is
      tracing: noTracing,
      onAttempt: () => undefined,
      follower: {
        continueDelivery: (each) => Promise.resolve(void continued.push(each)),
        startBacklog: ({ backlog }) => Promise.resolve(void backlogs.push(backlog.endpointKey)),
      },
    };
  });
  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
    // The next test's pump sends only its own deliveries.
    await database.db
      .getRepository(deliveries)
      .update({ organizationId: ctx.organizationId }, { pumpAt: null });
  });

  const pump = (limits: Partial<PumpLimits> = {}, changes: Partial<PumpDeps> = {}): DeliveryPump => {
    const started = startDeliveryPump(
      { ...deps, ...changes },
      { pumpId: randomUUID(), limits: { ...short, ...limits } },
    );
    ends.push(() => started.stop());
    return started;
  };
  const receiverOf = async (answer: AnswerRule = ok, secrets: readonly string[] = []): Promise<Receiver> => {
    const receiver = await startReceiver({ answer, secrets });
    ends.unshift(() => receiver.close());
    return receiver;
  };
  /** Deliveries that wait for a pump, all of one node, each of an ended call. */
  const waiting = async (
    url: string,
    count = 1,
    changes: Partial<DeliveryRow> = {},
  ): Promise<[DeliveryRow, ...DeliveryRow[]]> => {
    const { agentId } = await insertEndedCall(ctx);
    const one = async () => {
      const { callId } = await insertEndedCall(ctx);
      return await insertDelivery(
        ctx,
        { callId, agentId },
        { url, nodeId: 'hook', pumpAt: new Date(), ...changes },
      );
    };
    const first = await one();
    const rows: [DeliveryRow, ...DeliveryRow[]] = [first];
    while (rows.length < count) rows.push(await one());
    return rows;
  };
  const rowOf = ({ id }: DeliveryRow) => database.db.getRepository(deliveries).findOneByOrFail({ id });
  const attemptsOf = ({ id }: DeliveryRow) =>
    database.db.getRepository(deliveryAttempts).find({ where: { deliveryId: id }, order: { number: 'ASC' } });
  const logsOf = async ({ callId }: DeliveryRow) =>
    (await database.db.getRepository(calls).findOneByOrFail({ id: callId })).logs;
  const become = async (rows: readonly DeliveryRow[], state: DeliveryRow['state']) => {
    await until(`${rows.length} deliveries ${state}`, async () =>
      (await Promise.all(rows.map(rowOf))).every((row) => row.state === state && row.pumpAt === null),
    );
  };
  const ids = ({ requests }: Receiver) => requests.map(({ webhookId }) => webhookId);
  const uuids = (rows: readonly DeliveryRow[]) => rows.map(({ uuid }) => uuid).toSorted();
  /** A pump that leases and dies. */
  const lease = async (limit = 50) =>
    await leaseDeliveries(deps, {
      pumpId: 'dead',
      limit,
      roomOf: () => limit,
      fullNodes: [],
      followRoom: 10,
      postponeMs: 100,
      leaseMs: 300,
      held: new Set(),
      takesOver: false,
    });
  const answer = (statusCode: number): Recorded => ({
    judgment:
      statusCode === 200
        ? { kind: 'succeeded' }
        : { kind: 'retry', reason: `The receiver answered ${statusCode}`, retryAfterMs: null },
    statusCode,
    durationMs: 1,
    responseExcerpt: '',
  });

  test('sends a delivery once, signed and with its bytes, and records attempt, delivery and log of the run', async () => {
    const { secret } = await addWebhookSecret({ ctx, secrets: testSecrets });
    const receiver = await receiverOf(ok, [secret]);
    const [delivery] = await waiting(receiver.url);
    pump();
    await become([delivery], 'succeeded');
    expect(receiver.requests).toMatchObject([
      { webhookId: delivery.uuid, attempt: 1, body: delivery.body, verifiedBy: [0] },
    ]);
    expect(await attemptsOf(delivery)).toMatchObject([
      { number: 1, state: 'succeeded', statusCode: 200, error: null, responseExcerpt: 'thank you' },
    ]);
    expect(await rowOf(delivery)).toMatchObject({ attemptCount: 1, lastStatusCode: 200, pumpedBy: null });
    expect(await logsOf(delivery)).toEqual({
      kept: true,
      webhook_deliveries: [
        {
          node_id: 'hook',
          delivery_id: delivery.uuid,
          state: 'succeeded',
          attempts: 1,
          last_status_code: 200,
          last_error: null,
        },
      ],
    });
    expect(continued).toEqual([]);
  });

  test('sends each delivery once when several pumps run', async () => {
    const receiver = await receiverOf();
    const rows = await waiting(receiver.url, 60);
    for (let count = 0; count < 3; count += 1) pump({ page: 7 });
    await become(rows, 'succeeded');
    expect(ids(receiver).toSorted()).toEqual(uuids(rows));
  });

  // guarantee: delivery-leased-by-one-pump
  test('never leases a delivery that another transaction is leasing', async () => {
    const receiver = await receiverOf();
    const rows = await waiting(receiver.url, 8);
    const leased = await Promise.all([lease(4), lease(4), lease(4)]);
    const taken = leased.flatMap(({ send }) => send.map(({ uuid }) => uuid));
    expect(taken).toHaveLength(new Set(taken).size);
    expect(uuids(rows)).toEqual(expect.arrayContaining(taken));
  });

  test('counts an attempt that is under way in the log of the run', async () => {
    const receiver = await receiverOf();
    const [delivery] = await waiting(receiver.url);
    await lease();
    expect(await logsOf(delivery)).toMatchObject({
      webhook_deliveries: [{ delivery_id: delivery.uuid, state: 'pending', attempts: 1 }],
    });
  });

  // guarantee: slow-receiver-holds-nobody
  test('a receiver that hangs occupies its own places only, and no page waits for it', async () => {
    const hanging = await receiverOf(() => ({ kind: 'hang' }));
    const receiver = await receiverOf();
    await waiting(hanging.url, 6);
    const others = await waiting(receiver.url, 6);
    pump({ page: 3, attemptsOfNode: 2, attempts: 4 });
    await become(others, 'succeeded');
    expect(hanging.requests).toHaveLength(2);
  });

  test('sends the deliveries of a node, oldest first', async () => {
    const receiver = await receiverOf();
    const rows = await waiting(receiver.url, 5);
    pump({ page: 1, attemptsOfNode: 1 });
    await become(rows, 'succeeded');
    expect(ids(receiver)).toEqual(rows.map(({ uuid }) => uuid));
  });

  describe('a delivery that this process commits', () => {
    /** The pump finds nothing by itself. */
    const onlyHandedOver = { pollMs: 600_000 };
    const commit = async (
      to: Pick<DeliveryPump, 'handover'>,
      url: string,
      during: () => Promise<void> = () => Promise.resolve(),
    ): Promise<DeliveryRow> => {
      const rendered = newDelivery(ctx, await insertEndedCall(ctx), {
        url,
        agentId: 1,
        nodeId: 'hook',
        createdAt: new Date(),
      });
      return await committingDeliveries({ db: database.db, pump: to }, async (tx, handover) => {
        const row = await insertHandedOver(tx, rendered, handover);
        await during();
        return row;
      });
    };
    const dead = (changes: { leaseMs: number; clock?: PumpDeps['clock'] }, sent: DeliveryRow[] = []) => ({
      handover: () =>
        new Handover({
          pumpId: 'dead',
          clock: deps.clock,
          reserve: () => true,
          release: () => undefined,
          accept: (rows) => void sent.push(...rows),
          ...changes,
        }),
    });

    test('is sent by its pump, which need not look for it', async () => {
      const receiver = await receiverOf();
      const delivery = await commit(pump(onlyHandedOver), receiver.url);
      await become([delivery], 'succeeded');
      expect(receiver.requests).toMatchObject([
        { webhookId: delivery.uuid, attempt: 1, body: delivery.body },
      ]);
      expect(await attemptsOf(delivery)).toMatchObject([{ number: 1, state: 'succeeded' }]);
      expect(await rowOf(delivery)).toMatchObject({ attemptCount: 1, pumpedBy: null });
    });

    test('is not sent when the transaction fails, and leaves its place', async () => {
      const receiver = await receiverOf();
      const to = pump({ ...onlyHandedOver, attempts: 1 });
      await expect(commit(to, receiver.url, () => Promise.reject(new Error('refused')))).rejects.toThrow(
        'refused',
      );
      const delivery = await commit(to, receiver.url);
      await become([delivery], 'succeeded');
      expect(ids(receiver)).toEqual([delivery.uuid]);
    });

    test('is sent once when a deadlock makes the transaction begin again', async () => {
      const receiver = await receiverOf();
      let runs = 0;
      const delivery = await commit(pump({ ...onlyHandedOver, attempts: 1 }), receiver.url, () =>
        (runs += 1) === 1
          ? Promise.reject(Object.assign(new Error('deadlock'), { code: 'ER_LOCK_DEADLOCK' }))
          : Promise.resolve(),
      );
      await become([delivery], 'succeeded');
      expect([runs, ids(receiver)]).toEqual([2, [delivery.uuid]]);
    });

    test('waits for a place like every other when there is none', async () => {
      const answer = createGate();
      const receiver = await receiverOf(() => ({ kind: 'answer', status: 200, after: answer.wait() }));
      const to = pump({ ...onlyHandedOver, attemptsOfNode: 1 });
      const rows = [await commit(to, receiver.url)];
      await receiver.waitForRequests(1);
      rows.push(await commit(to, receiver.url));
      expect(rows[1]).toMatchObject({ attemptCount: 0, pumpedBy: null });
      answer.open();
      await become(rows, 'succeeded');
      expect(ids(receiver)).toEqual(rows.map(({ uuid }) => uuid));
    });

    test('is left to other pumps while its own stops', async () => {
      const receiver = await receiverOf();
      const to = pump();
      await to.stop();
      const delivery = await commit(to, receiver.url);
      expect(delivery).toMatchObject({ attemptCount: 0, pumpedBy: null });
      pump();
      await become([delivery], 'succeeded');
    });

    test('is sent by another pump when its own dies after the commit', async () => {
      const receiver = await receiverOf();
      const delivery = await commit(dead({ leaseMs: 300 }), receiver.url);
      pump({ leaseMs: 10 });
      await become([delivery], 'succeeded');
      expect(ids(receiver)).toEqual([delivery.uuid]);
    });

    // guarantee: late-handover-not-sent
    test('is left to other pumps when the commit took so long that its lease may expire', async () => {
      const receiver = await receiverOf();
      let now = Date.now();
      const sent: DeliveryRow[] = [];
      const clock = { now: () => new Date(now) };
      const delivery = await commit(dead({ leaseMs: 1000, clock }, sent), receiver.url, () => {
        now += 501;
        return Promise.resolve();
      });
      expect(sent).toEqual([]);
      pump({ leaseMs: 10 });
      await become([delivery], 'succeeded');
      expect(ids(receiver)).toEqual([delivery.uuid]);
    });
  });

  describe('a pump that died', () => {
    // guarantee: interrupted-first-attempt-made-again
    test('between lease and send: another sends its deliveries once, when the lease has expired', async () => {
      const receiver = await receiverOf();
      const rows = await waiting(receiver.url, 3);
      expect((await lease()).send).toHaveLength(3);
      pump({ leaseMs: 10 });
      await become(rows, 'succeeded');
      expect(ids(receiver).toSorted()).toEqual(uuids(rows));
      for (const row of rows)
        expect(await attemptsOf(row)).toMatchObject([{ number: 1, state: 'succeeded' }]);
    });

    test('between send and record: the receiver gets the same id, number and bytes again', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      let isDead = false;
      const db = failing(() => isDead);
      const dying = startDeliveryPump(
        {
          ...deps,
          db,
          http: {
            request: async (request) => {
              isDead = true;
              return await http.request(request);
            },
          },
        },
        { pumpId: randomUUID(), limits: { ...short, leaseMs: 300 } },
      );
      await receiver.waitForRequests(1);
      await dying.stop();
      expect(await rowOf(delivery)).toMatchObject({ state: 'pending', attemptCount: 1 });
      pump({ leaseMs: 10 });
      await become([delivery], 'succeeded');
      const [first, second] = receiver.requests;
      expect(receiver.requests).toHaveLength(2);
      expect([second?.webhookId, second?.attempt, second?.body]).toEqual([
        first?.webhookId,
        first?.attempt,
        first?.body,
      ]);
    });

    test('in the middle of a page: another sends only what is not recorded', async () => {
      const receiver = await receiverOf();
      const rows = await waiting(receiver.url, 4);
      const { send } = await lease();
      await recordOutcomes(deps, {
        pumpId: 'dead',
        outcomes: send
          .slice(0, 2)
          .map((delivery) => ({ kind: 'attempted', delivery, at: new Date(), recorded: answer(200) })),
      });
      pump({ leaseMs: 10 });
      await become(rows, 'succeeded');
      expect(ids(receiver).toSorted()).toEqual(uuids(send.slice(2)));
    });

    // guarantee: failed-first-attempt-handed-over
    test('between record and hand-over: another hands the delivery over and sends nothing', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      const { send } = await lease();
      await recordOutcomes(deps, {
        pumpId: 'dead',
        outcomes: send.map((each) => ({
          kind: 'attempted',
          delivery: each,
          at: new Date(),
          recorded: answer(503),
        })),
      });
      pump({ leaseMs: 10 });
      await become([delivery], 'pending');
      expect(continued).toMatchObject([{ input: { deliveryUuid: delivery.uuid } }]);
      expect(receiver.requests).toEqual([]);
    });

    test('only seemingly: what it records late changes nothing of a delivery that went on, except a success', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      const { send } = await lease();
      const gone = {
        pumpAt: null,
        pumpedBy: null,
        attemptCount: 2,
        nextAttemptAt: new Date('2026-11-21T11:00:00.000Z'),
        lastError: 'The receiver answered 500',
      };
      await database.db.getRepository(deliveries).update({ id: delivery.id }, gone);
      const late = async (statusCode: number) =>
        await recordOutcomes(deps, {
          pumpId: 'dead',
          outcomes: send.map((each) => ({
            kind: 'attempted',
            delivery: each,
            at: new Date(),
            recorded: answer(statusCode),
          })),
        });
      expect(await late(503)).toEqual([]);
      expect(await rowOf(delivery)).toMatchObject({ ...gone, state: 'pending' });
      await late(200);
      expect(await rowOf(delivery)).toMatchObject({ state: 'succeeded', nextAttemptAt: null });
    });

    test('before its lease expired, nobody else sends its deliveries', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      await lease();
      const far = new Date(Date.now() + 60_000);
      await database.db.getRepository(deliveries).update({ id: delivery.id }, { pumpAt: far });
      const [other] = await waiting(receiver.url);
      pump({ leaseMs: 10 });
      await become([other], 'succeeded');
      expect(ids(receiver)).toEqual([other.uuid]);
    });
  });

  test('a living pump keeps its lease while a receiver is slow', async () => {
    const answer = createGate();
    const receiver = await receiverOf(() => ({ kind: 'answer', status: 200, after: answer.wait() }));
    const [delivery] = await waiting(receiver.url);
    for (let count = 0; count < 2; count += 1) pump({ leaseMs: 60_000, renewalMs: 50 });
    await receiver.waitForRequests(1);
    const expiry = async () => (await rowOf(delivery)).pumpAt?.getTime() ?? 0;
    for (let renewals = 0; renewals < 3; renewals += 1) {
      const before = await expiry();
      await until('a renewal', async () => (await expiry()) > before);
    }
    answer.open();
    await become([delivery], 'succeeded');
    expect(receiver.requests).toHaveLength(1);
  });

  test('a pump that cannot renew its leases in time sends its own deliveries once', async () => {
    const receiver = await receiverOf(() => ({ kind: 'answer', status: 200, delayMs: 500 }));
    const [delivery] = await waiting(receiver.url);
    pump({ leaseMs: 50, renewalMs: 60_000 });
    await become([delivery], 'succeeded');
    expect(receiver.requests).toHaveLength(1);
  });

  test('an outcome that cannot be recorded holds up no other', async () => {
    const receiver = await receiverOf();
    const [odd] = await waiting(`${receiver.url}/odd`);
    const sending: PumpDeps['http'] = {
      request: async (request) => {
        const answered = await http.request(request);
        // No column has room for this status.
        return request.url.endsWith('/odd') && answered.kind === 'answered'
          ? { ...answered, statusCode: 1e12 }
          : answered;
      },
    };
    pump({}, { http: sending });
    await receiver.waitForRequests(1);
    await pause(100);
    const others = await waiting(receiver.url, 3);
    await become(others, 'succeeded');
    expect(await rowOf(odd)).toMatchObject({ state: 'pending', attemptCount: 1 });
    expect(receiver.requests).toHaveLength(4);
  });

  // guarantee: first-wait-shows-next-attempt
  test('hands a failed delivery over with the time of its second attempt, which Retry-After lengthens', async () => {
    const receiver = await receiverOf(() => ({
      kind: 'answer',
      status: 503,
      headers: { 'retry-after': '600' },
    }));
    const [delivery] = await waiting(receiver.url);
    pump();
    await become([delivery], 'pending');
    const row = await rowOf(delivery);
    const [attempt] = await attemptsOf(delivery);
    expect(row).toMatchObject({
      attemptCount: 1,
      lastStatusCode: 503,
      lastError: 'The receiver answered 503',
      finishedAt: null,
    });
    expect(attempt).toMatchObject({ state: 'failed', statusCode: 503 });
    const waitMs = (row.nextAttemptAt?.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(500_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
    expect(continued).toEqual([
      {
        callId: delivery.callId,
        nodeName: 'hook',
        input: {
          deliveryUuid: delivery.uuid,
          callUuid: expect.any(String),
          organizationUuid: expect.any(String),
          continues: {
            nextAttemptAt: row.nextAttemptAt?.toISOString(),
            host: receiver.host,
            statusCode: 503,
            error: 'The receiver answered 503',
          },
        },
      },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('while Temporal is away, first attempts are made, failed deliveries wait visibly, and are handed over later', async () => {
    const receiver = await receiverOf((request) => ({
      kind: 'answer',
      status: request.path === '/broken' ? 500 : 200,
    }));
    let isAway = true;
    const follower: DeliveryFollower = {
      ...deps.follower,
      continueDelivery: async (each) => {
        if (isAway) throw new UnavailableError('Temporal is away', { dependency: 'temporal' });
        await deps.follower.continueDelivery(each);
      },
    };
    const broken = await waiting(`${receiver.url}/broken`, 5);
    pump({}, { follower });
    await until('the failures', async () =>
      (await Promise.all(broken.map(rowOf))).every(({ nextAttemptAt }) => nextAttemptAt !== null),
    );
    const sound = await waiting(receiver.url, 3);
    await become(sound, 'succeeded');
    expect(continued).toEqual([]);
    isAway = false;
    await become(broken, 'pending');
    expect(continued.map(({ input }) => input.deliveryUuid).toSorted()).toEqual(uuids(broken));
    expect(receiver.requests).toHaveLength(8);
  });

  test('while MySQL is away, an answer is kept, and no other pump sends the delivery again afterwards', async () => {
    let isAway = false;
    const receiver = await receiverOf();
    const db = failing(() => isAway);
    const [delivery] = await waiting(receiver.url);
    const sending = {
      request: async (request: Parameters<PumpDeps['http']['request']>[0]) => {
        isAway = true;
        return await http.request(request);
      },
    };
    for (const changes of [{ db, http: sending }, { db }]) pump({ leaseMs: 60_000, renewalMs: 50 }, changes);
    await receiver.waitForRequests(1);
    await database.db.getRepository(deliveries).update({ id: delivery.id }, { pumpAt: new Date(0) });
    await pause(200); // both pumps ask meanwhile
    isAway = false;
    await become([delivery], 'succeeded');
    expect(receiver.requests).toHaveLength(1);
  });

  test('a 410 switches the endpoint off, and later deliveries become dead letters that say so', async () => {
    const receiver = await receiverOf(() => ({ kind: 'answer', status: 410 }));
    const [gone] = await waiting(receiver.url);
    pump();
    await become([gone], 'dead_letter');
    const late = await insertDelivery(ctx, await insertEndedCall(ctx), {
      agentId: gone.agentId,
      nodeId: gone.nodeId,
      url: gone.url,
      pumpAt: new Date(),
    });
    await become([late], 'dead_letter');
    expect(await rowOf(late)).toMatchObject({
      lastError: 'Not sent: the endpoint answered 410 and is switched off',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('a success starts the backlog of its endpoint once', async () => {
    const receiver = await receiverOf();
    const [delivery] = await waiting(receiver.url);
    const { agentId, nodeId, url } = delivery;
    await insertDelivery(ctx, await insertEndedCall(ctx), {
      agentId,
      nodeId,
      url,
      attemptCount: 1,
      nextAttemptAt: new Date(),
    });
    pump();
    await become([delivery], 'succeeded');
    expect(backlogs).toHaveLength(1);
  });

  describe('a Workflow', () => {
    // guarantee: one-owner-of-attempts
    test('makes no attempt while the first one is under way, also one that a dead pump has begun', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      await lease();
      for (const attempt of [1, 2])
        await expect(
          attemptDelivery({ deps, input: { deliveryUuid: delivery.uuid, attempt, resend: true } }),
        ).rejects.toThrow(LimitError);
      expect(receiver.requests).toEqual([]);
      pump({ leaseMs: 10 });
      await become([delivery], 'succeeded');
      await attemptDelivery({ deps, input: { deliveryUuid: delivery.uuid, attempt: 2, resend: true } });
      expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
    });

    test('that begins an attempt owns the delivery: the pump sends nothing', async () => {
      const receiver = await receiverOf();
      const [delivery] = await waiting(receiver.url);
      await attemptDelivery({ deps, input: { deliveryUuid: delivery.uuid, attempt: 1 } });
      const [other] = await waiting(receiver.url);
      pump();
      await become([other], 'succeeded');
      expect(ids(receiver)).toEqual([delivery.uuid, other.uuid]);
    });
  });

  test('an erased delivery is not sent', async () => {
    const receiver = await receiverOf();
    const [erased] = await waiting(receiver.url, 1, { erasedAt: new Date(), body: null });
    const [other] = await waiting(receiver.url);
    pump();
    await become([other], 'succeeded');
    expect(ids(receiver)).toEqual([other.uuid]);
    expect((await rowOf(erased)).pumpAt).toBeNull();
  });

  test('a pump that stops gives back what is not answered, for another at once', async () => {
    let isHanging = true;
    const receiver = await receiverOf((request, earlier) =>
      isHanging ? { kind: 'hang' } : ok(request, earlier),
    );
    const [delivery] = await waiting(receiver.url);
    const stopping = startDeliveryPump(deps, { pumpId: randomUUID(), limits: short });
    await receiver.waitForRequests(1);
    isHanging = false;
    await stopping.stop();
    expect(await rowOf(delivery)).toMatchObject({ state: 'pending', pumpedBy: null });
    pump({ leaseMs: 60_000 });
    await become([delivery], 'succeeded');
  });

  /** The database while `isAway` does not hold. */
  function failing(isAway: () => boolean): DataSource {
    const refuse = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    return new Proxy(database.db, {
      get(db, name) {
        if (name === 'transaction' && isAway()) return refuse;
        const value: unknown = Reflect.get(db, name, db);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    });
  }
});
