import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkerInterceptors } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { callRecordings } from '../../src/db/tables/call-recordings.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../src/db/tables/delivery-attempts.ts';
import { ownList } from '../../src/domain/graph/definition.ts';
import { callWorkflowId, deliveryWorkflowId } from '../../src/domain/temporal-ids.ts';
import { openDirectory } from '../../src/providers/storage/directory.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import { beginPiece, endPiece, createTextSession } from '../../src/services/calls/index.ts';
import { closeOrphanedCall } from '../../src/services/operations/index.ts';
import { neverChosen } from '../support/admitted-call.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { insertDelivery, insertEndedCall } from '../support/delivery-rows.ts';
import { node, threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm, type Gate } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const judging: { gate: Gate | null } = { gate: null };
const llm = createScriptedLlm({
  before: async ({ responseFormat }) => {
    if (responseFormat?.name === 'judgment') await judging.gate?.wait();
    return undefined;
  },
});
const nothing = { closed: 0, handedOver: 0, restarted: 0, joined: 0, paced: 0, imported: 0, failed: 0 };
let world: CallWorld;
let folder: string;
let files: Files;
/** Activities that fail for a call id; `null` = for every input. */
const failing = new Map<string, { callId: number | null; error: Error }>();

const failures: WorkerInterceptors = {
  activity: [
    ({ info }) => ({
      inbound: {
        execute(input, next) {
          const fault = failing.get(info.activityType);
          const [given] = input.args;
          const isMeant =
            fault?.callId === null ||
            (typeof given === 'object' &&
              given !== null &&
              'callId' in given &&
              given.callId === fault?.callId);
          return fault !== undefined && isMeant ? Promise.reject(fault.error) : next(input);
        },
      },
    }),
  ],
};

beforeAll(async () => {
  world = await createCallWorld({ llm });
  folder = await mkdtemp(join(tmpdir(), 'parlance-reconcile-'));
  files = await openDirectory(folder);
  await world.startWorker({ interceptors: failures, files });
});

afterEach(() => failing.clear());

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

const handleOf = ({ callUuid }: Pick<OpenSession, 'callUuid'>) =>
  world.temporal.client.workflow.getHandle(callWorkflowId(callUuid));

/** Runs one reconciliation of this world. */
async function reconcile(graceMs = 0): Promise<unknown> {
  return await world.temporal.client.workflow.execute('reconcileWorkflow', {
    workflowId: `reconcile-${randomUUID()}`,
    taskQueue: world.queues.delivery,
    args: [{ graceMs }],
  });
}

/** A call is judged between its record and its webhooks. */
const judged = () => {
  const base = threeStepDefinition({ extraction: false });
  const hook = node('hook', 'webhook', {
    name: 'Hook',
    endpoint_url: 'https://receiver.test/hook',
    payload_template: { error: '{{annotations.qa_quality.error}}' },
  });
  return {
    ...base,
    nodes: [
      ...ownList(base, 'nodes').slice(0, 4),
      hook,
      node('quality', 'qa', { name: 'Quality', qa_min_call_duration: 0 }),
    ],
  };
};

/** A call whose record is complete and whose Workflow was ended before it rendered its webhooks. */
async function endedWithoutWebhooks(): Promise<OpenSession> {
  failing.set('prepareDeliveries', { callId: null, error: new Error('MySQL is away') });
  const session = await world.open(judged());
  await session.say('go_on', 1);
  await session.end(2);
  await session.completed();
  await handleOf(session).terminate();
  return session;
}

const deliveriesOf = ({ callId }: OpenSession) => world.ctx.db.getRepository(deliveries).findBy({ callId });

const auditOf = (callId: number) =>
  world.ctx.db
    .getRepository(auditEvents)
    .find({ where: { subjectKind: 'call', subjectId: callId, actorKind: 'system' } });

describe('a call whose Workflow was ended from outside', () => {
  // guarantee: terminated-call-gets-disposition
  test('ends with a disposition and a closed session, its webhook is delivered once, and the repair is audited', async () => {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await handleOf(session).terminate('by an operator');
    expect(await reconcile()).toEqual({ ...nothing, closed: 1 });
    expect(await session.row()).toMatchObject({
      state: 'ended',
      disposition: 'system_cancelled',
      tags: ['system_cancelled', 'user_speech'],
      endedAt: expect.any(Date),
    });
    expect(await session.read()).toMatchObject({
      is_completed: true,
      revision: 3,
      gathered_context: { nodes_visited: ['Start', 'Ask'], call_disposition: 'system_cancelled' },
    });
    await expect(session.say('hello?')).rejects.toMatchObject({ status: 400 });
    const [delivery] = await world.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
    await until('the webhook', async () => world.delivered.includes(delivery?.uuid ?? ''));
    expect(await auditOf(session.callId)).toMatchObject([
      { action: 'call.closed', changes: { from: 'talking', reason: 'system_cancelled' } },
    ]);

    expect(await reconcile()).toEqual(nothing);
    expect(world.delivered.filter((each) => each === delivery?.uuid)).toHaveLength(1);
  });

  test('is closed once when the repair is repeated, with the same webhook', async () => {
    const session = await world.open(threeStepDefinition());
    await handleOf(session).terminate();
    const orphaned = {
      callId: session.callId,
      callUuid: session.callUuid,
      organizationId: world.ctx.organizationId,
      organizationUuid: randomUUID(),
      wasStopped: false,
    };
    const deps = {
      ...world.ctx,
      llm,
      model: 'test-model',
      customerLlms: neverChosen,
      publicUrl: 'http://parlance.test',
    };
    await closeOrphanedCall({ deps, input: orphaned });
    const { endedAt } = await session.row();
    const first = await deliveriesOf(session);
    expect(first).toHaveLength(1);
    await closeOrphanedCall({ deps, input: orphaned });
    expect((await deliveriesOf(session)).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(await session.row()).toMatchObject({ disposition: 'unexpected_error', endedAt });
    expect(await auditOf(session.callId)).toHaveLength(1);
  });
});

describe('reconciliation does not touch', () => {
  test('a call whose Workflow runs, and one that is younger than the grace period', async () => {
    const [live, young] = [
      await world.open(threeStepDefinition({ webhook: false })),
      await world.open(threeStepDefinition({ webhook: false })),
    ];
    await reconcile();
    await handleOf(young).terminate();
    await reconcile(600_000);
    expect([(await live.row()).state, (await young.row()).state]).toEqual(['talking', 'talking']);
    await live.say('go_on', 1);
    await live.end(2);
    await reconcile();
    expect((await young.row()).state).toBe('ended');
  });
});

describe('a call that was never started', () => {
  test('is refused as a failed start, sends no webhook and never runs', async () => {
    const agentId = await world.createAgent(threeStepDefinition());
    // The API died between writing the row and starting the Workflow.
    await createTextSession({
      ctx: world.ctx,
      deps: {
        calls: { ...world.starter, openTextSession: () => Promise.reject(new Error('the process died')) },
      },
      input: { agentId, initialContext: {}, annotations: {} },
    }).catch(() => undefined);
    const row = () => world.ctx.db.getRepository(calls).findOneByOrFail({ agentId });
    expect((await row()).state).toBe('pending');
    expect(await reconcile()).toEqual({ ...nothing, closed: 1 });
    expect(await row()).toMatchObject({
      state: 'refused',
      disposition: 'error',
      gatheredContext: { call_disposition: 'error' },
      endedAt: expect.any(Date),
    });
    expect(await world.ctx.db.getRepository(deliveries).countBy({ callId: (await row()).id })).toBe(0);
    expect(await auditOf((await row()).id)).toMatchObject([{ action: 'call.refused' }]);
  });
});

describe('an orphaned call with a QA node', () => {
  const error = 'The Workflow of the call was ended before the call could be judged';
  const bodiesOf = async (session: OpenSession) =>
    (await deliveriesOf(session)).map(({ body }): unknown => JSON.parse(body ?? 'null'));

  test('has an error as its judgment, also in its webhook, when it was talking', async () => {
    const session = await world.open(judged());
    await handleOf(session).terminate();
    expect(await reconcile()).toEqual({ ...nothing, closed: 1 });
    expect((await session.row()).annotations).toEqual({ qa_quality: { error } });
    expect(await bodiesOf(session)).toMatchObject([{ error }]);
  });

  test('has an error as its judgment when it was being judged, and a late judgment does not change it', async () => {
    judging.gate = createGate();
    const session = await world.open(judged());
    await session.end(1);
    await judging.gate.reached;
    await handleOf(session).terminate();
    expect(await reconcile()).toEqual({ ...nothing, handedOver: 1 });
    judging.gate.open();
    expect((await session.row()).annotations).toEqual({ qa_quality: { error } });
    expect(await bodiesOf(session)).toMatchObject([{ error }]);
    expect(await reconcile()).toEqual(nothing);
  });
});

describe('a call that ended without its webhooks', () => {
  test('gets them sent once, and the repair is audited', async () => {
    const session = await endedWithoutWebhooks();
    expect(await deliveriesOf(session)).toEqual([]);
    expect(await reconcile()).toEqual({ ...nothing, handedOver: 1 });
    const [delivery, ...others] = await deliveriesOf(session);
    expect(others).toEqual([]);
    await until('the webhook', async () => world.delivered.includes(delivery?.uuid ?? ''));
    expect(await auditOf(session.callId)).toMatchObject([
      { action: 'call.webhooks_handed_over', changes: { count: 1 } },
    ]);
    expect(await reconcile()).toEqual(nothing);
    expect(world.delivered.filter((each) => each === delivery?.uuid)).toHaveLength(1);
  });

  test('is not touched while its Workflow runs', async () => {
    failing.set('prepareDeliveries', { callId: null, error: new Error('MySQL is away') });
    const session = await world.open(judged());
    await session.end(1);
    await session.completed();
    expect(await reconcile()).toEqual(nothing);
    expect(await deliveriesOf(session)).toEqual([]);
    failing.clear();
    await handleOf(session).result();
    expect(await deliveriesOf(session)).toHaveLength(1);
  });

  test('does not stop the repair of others when its own repair fails', async () => {
    const [broken, sound] = [await endedWithoutWebhooks(), await endedWithoutWebhooks()];
    failing.set('prepareUnsent', {
      callId: broken.callId,
      error: ApplicationFailure.nonRetryable('the definition is damaged'),
    });
    expect(await reconcile()).toEqual({ ...nothing, handedOver: 1, failed: 1 });
    expect([await deliveriesOf(broken), await deliveriesOf(sound)]).toMatchObject([[], [{}]]);
    failing.clear();
    expect(await reconcile()).toEqual({ ...nothing, handedOver: 1 });
  });
});

describe('a recording of a call whose Workflow was ended from outside', () => {
  // guarantee: terminated-call-recording-joined
  test('is joined once, by the pass that closes its call or a later one; a failed join does not stop others', async () => {
    const recorded = async () => {
      const session = await world.open(threeStepDefinition({ webhook: false }));
      const at = { callId: session.callId, organizationId: world.ctx.organizationId, generation: 1 };
      const piece = await files.grow(
        await beginPiece({ db: world.ctx.db, call: at, form: { sampleRate: 8000, beganAt: new Date() } }),
      );
      await piece.write(new Uint8Array(4000), 0);
      await piece.close();
      await endPiece({ db: world.ctx.db, clock: world.ctx.clock, call: at });
      return session;
    };
    const [live, broken, sound] = [await recorded(), await recorded(), await recorded()];
    for (const session of [broken, sound]) await handleOf(session).terminate();
    failing.set('assembleRecording', {
      callId: broken.callId,
      error: ApplicationFailure.nonRetryable('the storage is full'),
    });
    const passes = await reconcile();
    const pieces = async () =>
      (await world.ctx.db.getRepository(callRecordings).find()).map(({ callId }) => callId);
    expect(passes).toEqual({ ...nothing, closed: 2, joined: 1, failed: 1 });
    expect([(await sound.row()).recordedAt, (await broken.row()).recordedAt, await pieces()]).toEqual([
      expect.any(Date),
      null,
      [live.callId, broken.callId],
    ]);
    failing.clear();
    expect(await reconcile()).toEqual({ ...nothing, joined: 1 });
    expect([(await broken.row()).recordedAt, await pieces()]).toEqual([expect.any(Date), [live.callId]]);
    expect(await reconcile()).toEqual(nothing);
    await world.ctx.db.getRepository(callRecordings).delete({ callId: live.callId });
    await live.end(1);
  });
});

describe('a pending delivery', () => {
  const past = new Date('2026-11-21T10:00:00.000Z');
  const insert = async (changes: Parameters<typeof insertDelivery>[2]) =>
    await insertDelivery(world.ctx, await insertEndedCall(world.ctx), changes);
  /** Starts a delivery on a task queue without a worker. */
  const begun = async (uuid: string) =>
    await world.temporal.client.workflow.start('deliveryWorkflow', {
      workflowId: deliveryWorkflowId(uuid),
      taskQueue: `nobody-${randomUUID()}`,
      args: [{ deliveryUuid: uuid, callUuid: randomUUID(), organizationUuid: randomUUID() }],
    });
  const rowOf = (id: number) => world.ctx.db.getRepository(deliveries).findOneByOrFail({ id });

  test('whose Workflow was ended continues with its next attempt when it is due, and the repair is audited', async () => {
    const row = await insert({ attemptCount: 3, nextAttemptAt: past });
    await (await begun(row.uuid)).terminate();
    expect(await reconcile()).toEqual({ ...nothing, restarted: 1 });
    await until('the attempt', async () => (await rowOf(row.id)).state === 'succeeded');
    expect(await rowOf(row.id)).toMatchObject({ attemptCount: 4 });
    expect(
      await world.ctx.db
        .getRepository(auditEvents)
        .findBy({ subjectKind: 'webhook_delivery', subjectId: row.id }),
    ).toMatchObject([{ action: 'webhook_delivery.restarted', actorKind: 'system', changes: { attempt: 4 } }]);
    expect(await reconcile()).toEqual(nothing);
  });

  test('that Temporal does not know repeats the current attempt', async () => {
    const row = await insert({ attemptCount: 2 });
    await world.ctx.db.getRepository(deliveryAttempts).insert({
      deliveryId: row.id,
      organizationId: row.organizationId,
      number: 2,
      state: 'started',
      startedAt: past,
      durationMs: null,
      statusCode: null,
      error: null,
      responseExcerpt: null,
    });
    expect(await reconcile()).toEqual({ ...nothing, restarted: 1 });
    await until('the attempt', async () => (await rowOf(row.id)).state === 'succeeded');
    expect(await rowOf(row.id)).toMatchObject({ attemptCount: 2 });
  });

  test('is not touched while its Workflow runs or the pump owns it, or before its next attempt is due', async () => {
    const running = await insert({});
    const waiting = await insert({ attemptCount: 1, nextAttemptAt: new Date('2126-11-21T10:00:00.000Z') });
    const ofThePump = await insert({ pumpAt: new Date('2126-11-21T10:00:00.000Z') });
    const handle = await begun(running.uuid);
    expect(await reconcile()).toEqual(nothing);
    expect([await rowOf(running.id), await rowOf(waiting.id), await rowOf(ofThePump.id)]).toMatchObject([
      { state: 'pending' },
      { state: 'pending' },
      { state: 'pending' },
    ]);
    await handle.terminate();
  });
});
