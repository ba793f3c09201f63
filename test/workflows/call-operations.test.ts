import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agents } from '../../src/db/tables/agents.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallStarter } from '../../src/temporal/call-starter.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import type { CallInput } from '../../src/temporal/port.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { transcriptQuery } from '../../src/workflows/call/messages.ts';
import { createCallWorld, type CallWorld, type RunningWorker } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const noWebhook = threeStepDefinition({ webhook: false });
const held = { gate: createGate() };
const llm = createScriptedLlm({
  before: async (_request, said) => {
    if (said.includes('hold')) await held.gate.wait();
    return undefined;
  },
});
let world: CallWorld;
let worker: RunningWorker;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  worker = await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

const handleOf = (callUuid: string) => world.temporal.client.workflow.getHandle(callWorkflowId(callUuid));

describe('a call that is operated from outside', () => {
  test('ends after the declared time without a message', async () => {
    world.adjustInput((input) => ({ ...input, channel: { ...input.channel, inactivityTimeoutMs: 700 } }));
    const session = await world.open(noWebhook);
    const ended = await session.completed();
    expect(ended).toMatchObject({
      revision: 2,
      gathered_context: { call_disposition: 'user_idle_max_duration_exceeded' },
    });
    await expect(session.say('hello?')).rejects.toMatchObject({ status: 400 });
    world.adjustInput((input) => input);
  });

  // guarantee: canceled-call-still-finishes
  test('ends with a disposition and sends its webhook after a cancellation in Temporal UI', async () => {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await handleOf(session.callUuid).cancel();
    const ended = await session.completed();
    expect(ended).toMatchObject({
      revision: 3,
      gathered_context: { call_disposition: 'system_cancelled', nodes_visited: ['Start', 'Ask'] },
    });
    await until(
      'the webhook',
      async () => (await world.ctx.db.getRepository(deliveries).countBy({ callId: session.callId })) === 1,
    );
    expect(
      (await world.ctx.db.getRepository(agents).findOneByOrFail({ id: session.agentId })).dispositionCodes,
    ).toEqual(['system_cancelled']);
  });

  test('discards the current turn after a cancellation, and tells the sender that the call has ended', async () => {
    const session = await world.open(noWebhook);
    held.gate = createGate();
    const speaking = session.say('hold on', 1);
    await held.gate.reached;
    await handleOf(session.callUuid).cancel();
    await expect(speaking).rejects.toMatchObject({ status: 400 });
    held.gate.open();
    await session.completed();
    expect(await world.ctx.db.getRepository(turns).countBy({ callId: session.callId })).toBe(1);
  });

  test('sends no webhook again after a reset in Temporal UI', async () => {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await session.end(2);
    const handle = handleOf(session.callUuid);
    expect(await handle.result()).toMatchObject({ deliveries: 1 });
    const { uuid } = await world.ctx.db.getRepository(deliveries).findOneByOrFail({ callId: session.callId });
    await until('the webhook', () => Promise.resolve(world.delivered.includes(uuid)));

    const { runId } = await handle.describe();
    const { events } = await handle.fetchHistory();
    // The last Workflow task completes the record.
    const completing = events?.findLast(({ workflowTaskCompletedEventAttributes: task }) => task != null);
    const { client } = world.temporal;
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: handle.workflowId, runId },
      reason: 'an operator',
      requestId: randomUUID(),
      workflowTaskFinishEventId: completing?.eventId ?? null,
    });
    expect((await handle.describe()).runId).not.toBe(runId);
    expect(await handle.result()).toMatchObject({ state: 'ended', deliveries: 1 });
    expect(await world.ctx.db.getRepository(deliveries).countBy({ callId: session.callId })).toBe(1);
    expect(world.delivered.filter((each) => each === uuid)).toHaveLength(1);
  });

  test('accepts no messages after a termination in Temporal UI', async () => {
    const session = await world.open(noWebhook);
    await handleOf(session.callUuid).terminate();
    await expect(session.say('hello?', 1)).rejects.toMatchObject({ status: 400 });
  });

  test('continues in fresh runs without losing revision, extractions or the answer to a repeated message', async () => {
    world.adjustInput((input) => ({ ...input, turnsPerRun: 2 }));
    const session = await world.open(noWebhook);
    await session.say('go_on', 1);
    const extra = await session.say('extra', 2);
    await session.say('one', 3);
    await session.say('again', 4);
    const runs = await until('a fresh run', async () => {
      const { raw } = await handleOf(session.callUuid).describe();
      return raw.workflowExecutionInfo?.execution?.runId !== raw.workflowExecutionInfo?.firstRunId;
    });
    expect(runs).toBe(true);
    expect((await session.say('extra', 2)).revision).toBeGreaterThanOrEqual(extra.revision);
    expect(await session.say('done', 5)).toMatchObject({
      revision: 6,
      session_data: { turns: { length: 6 } },
    });
    expect((await session.completed()).gathered_context).toMatchObject({
      day: 'Monday',
      nodes_visited: ['Start', 'Ask', 'More', 'Bye'],
      call_disposition: 'user_qualified',
    });
    world.adjustInput((input) => input);
  });

  test('shows its state in its query and on its page, without text of the conversation', async () => {
    const session = await world.open(noWebhook, { name: 'Ada' });
    await session.say('my secret words go_on', 1);
    expect(await world.starter.describeState(session.callUuid)).toMatchObject({
      state: 'talking',
      nodeId: 'ask',
      nodeName: 'Ask',
      revision: 2,
      turnCount: 2,
      disposition: null,
    });
    const lines = await handleOf(session.callUuid).query(transcriptQuery);
    expect(lines.map(({ turnIndex, speaker, kind }) => [turnIndex, speaker, kind])).toEqual([
      [0, 'assistant', 'greeting'],
      [1, 'user', 'utterance'],
      [1, 'assistant', 'reply'],
    ]);
    const description = await handleOf(session.callUuid).describe();
    expect(await description.staticSummary()).toMatch(
      /^Call \d+ · text · agent [0-9a-f]{8} version 1 · test$/,
    );
    const history = await handleOf(session.callUuid).fetchHistory();
    const summaries = (history.events ?? [])
      .map((event) => Buffer.from(event.userMetadata?.summary?.data ?? []).toString())
      .filter((each) => each !== '');
    expect(summaries).toContain('"Turn 1 · reply at Ask"');
    expect(summaries.join()).not.toMatch(/secret|Ada/);
    const attributes = JSON.stringify(description.typedSearchAttributes.getAll());
    expect(attributes).toContain('talking');
    expect(attributes).not.toMatch(/secret|Ada/);
  });

  // guarantee: one-workflow-per-call
  test('stays the same call when it is started a second time, running or ended, and repeats nothing', async () => {
    const inputs: CallInput[] = [];
    world.adjustInput((input) => {
      inputs.push(input);
      return input;
    });
    const session = await world.open(noWebhook);
    world.adjustInput((input) => input);
    const [input] = inputs;
    if (input === undefined) throw new Error('the call was not started');
    const before = llm.requests.length;
    expect(await world.starter.openTextSession(input)).toEqual({ kind: 'answered', revision: 1 });
    await session.end(1);
    expect(await world.starter.openTextSession(input)).toEqual({ kind: 'answered', revision: 1 });
    const runId = async () => (await handleOf(session.callUuid).describe()).runId;
    const only = await runId();
    expect(await world.starter.openTextSession(input, 1)).toEqual({ kind: 'closed' });
    expect(await runId()).toBe(only);
    // Temporal has deleted the id, so only the call's row prevents a second run.
    const forgotten = await world.temporal.client.workflow.execute('callWorkflow', {
      workflowId: `forgotten/${session.callUuid}`,
      taskQueue: world.queues.call,
      args: [input],
    });
    expect(forgotten).toMatchObject({ state: 'refused', turnCount: 0 });
    expect(await session.row()).toMatchObject({ state: 'ended', disposition: 'user_hangup' });
    expect(llm.requests.length).toBe(before);
  });
});

describe('a call whose worker stops', () => {
  test('continues its turn at another worker, and speaks it once', async () => {
    const session = await world.open(noWebhook);
    held.gate = createGate();
    const speaking = session.say('hold on', 1);
    await held.gate.reached;
    const stopping = worker.stop();
    worker = await world.startWorker();
    held.gate.open();
    expect(await speaking).toMatchObject({ revision: 2 });
    await stopping;
    expect(await world.ctx.db.getRepository(turns).countBy({ callId: session.callId })).toBe(2);
  });

  test('keeps a message until a worker is available, and answers it once', async () => {
    const session = await world.open(noWebhook);
    await worker.stop();
    const impatient = createCallStarter({ temporal: world.temporal, updateWaitMs: 500, uiUrl: undefined });
    const message = {
      callUuid: session.callUuid,
      text: 'anybody there',
      expectedRevision: 1,
      updateId: 'waits',
    };
    expect(await impatient.sendMessage(message)).toEqual({ kind: 'slow' });
    const again = world.starter.sendMessage(message);
    worker = await world.startWorker();
    expect(await again).toEqual({ kind: 'answered', revision: 2 });
    expect(await world.ctx.db.getRepository(turns).countBy({ callId: session.callId })).toBe(2);
  });

  // guarantee: call-answered-503-never-runs
  test('is refused when no worker could start it, and a later worker does not run it', async () => {
    await worker.stop();
    const agentId = await world.createAgent(noWebhook);
    const slow = createCallStarter({
      temporal: world.temporal,
      updateWaitMs: 500,
      uiUrl: undefined,
      taskQueue: world.queues.call,
    });
    const create = { agentId, initialContext: {}, annotations: {} };
    await expect(
      createTextSession({ ctx: world.ctx, deps: { calls: slow }, input: create }),
    ).rejects.toMatchObject({ code: 'unavailable', dependency: 'temporal' });
    const call = await world.ctx.db.getRepository(calls).findOneByOrFail({ agentId });
    expect(call.state).toBe('refused');
    worker = await world.startWorker();
    expect(await handleOf(call.uuid).result()).toMatchObject({ state: 'refused', turnCount: 0 });
    expect((await world.ctx.db.getRepository(calls).findOneByOrFail({ agentId })).state).toBe('refused');
  });
});

describe('an unavailable Temporal', () => {
  test('is an unavailable dependency for every request, within seconds, and leaves the new call refused', async () => {
    const unreachable = createTemporalClient({ address: '127.0.0.1:1', namespace: 'parlance-test' });
    const starter = createCallStarter({ temporal: unreachable, uiUrl: undefined });
    const agentId = await world.createAgent(noWebhook);
    const begun = Date.now();
    await expect(
      createTextSession({
        ctx: world.ctx,
        deps: { calls: starter },
        input: { agentId, initialContext: {}, annotations: {} },
      }),
    ).rejects.toMatchObject({ code: 'unavailable', dependency: 'temporal' });
    const message = { callUuid: 'none', text: 'x', expectedRevision: 1, updateId: 'x' };
    await expect(starter.sendMessage(message)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(starter.describeState('none')).rejects.toMatchObject({ code: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(8000);
    expect((await world.ctx.db.getRepository(calls).findOneByOrFail({ agentId })).state).toBe('refused');
    await unreachable.close();
  });
});
