import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TextSession } from '../../src/contract/text-sessions.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { claimIdempotencyKey, releaseIdempotencyKey } from '../../src/services/kernel/index.ts';
import { createTextSession, sendMessage } from '../../src/services/calls/index.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const noWebhook = threeStepDefinition({ webhook: false });
const held = { gate: createGate() };
const failing = { opening: false };
const llm = createScriptedLlm({
  before: async (_request, said) => {
    if (said.includes('hold')) await held.gate.wait();
    if (said === '' && failing.opening) return { fail: true };
    if (said.includes('break')) return { fail: true };
    return said.includes('nonsense') ? { toolCalls: [{ name: 'no_such_edge' }] } : undefined;
  },
});
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

const said = ({ session_data: { turns } }: TextSession) =>
  turns.map(({ user_message: message }) => message?.text ?? null);

describe('a text conversation', () => {
  test('greets, moves through its nodes, ends at the end node, and sends one webhook with the extracted values', async () => {
    const session = await world.open(threeStepDefinition(), { name: 'Ada' });
    expect(session.opening).toMatchObject({
      revision: 1,
      state: 'running',
      is_completed: false,
      session_data: {
        status: 'idle',
        turns: [{ user_message: null, assistant_message: { text: 'Hello Ada.' } }],
      },
    });
    const asked = await session.say('yes go_on', 1);
    expect(asked).toMatchObject({ revision: 2, checkpoint: { current_node_id: 'ask' } });
    expect(asked.session_data.turns[1]?.assistant_message?.text).toBe('Reply at You ask for the day.');
    const ended = await session.say('done', 2);
    expect(ended).toMatchObject({ revision: 3, session_data: { status: 'completed' } });
    await expect(session.say('more')).rejects.toMatchObject({ code: 'precondition', status: 400 });

    const complete = await session.completed();
    expect(complete.revision).toBe(4); // it grew once more with the extracted values
    expect(complete.gathered_context).toMatchObject({
      day: 'Monday',
      extracted_variables: { day: 'Monday' },
      nodes_visited: ['Start', 'Ask', 'Bye'],
      call_disposition: 'user_qualified',
    });
    expect(await session.row()).toMatchObject({
      state: 'ended',
      disposition: 'user_qualified',
      tags: ['user_qualified', 'user_speech'],
    });
    await until('the hand-over', async () => world.delivered.length === 1);
    const [delivery, ...others] = await world.ctx.db
      .getRepository(deliveries)
      .findBy({ callId: session.callId });
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      uuid: world.delivered[0],
      nodeId: 'hook',
      body: '{"day":"Monday","call_disposition":"user_qualified"}',
    });
  });

  test('ends on request, and the answer contains the complete record', async () => {
    const session = await world.open(noWebhook);
    const ended = await session.end(1);
    expect(ended).toMatchObject({
      revision: 2,
      state: 'completed',
      is_completed: true,
      gathered_context: { call_disposition: 'user_hangup' },
      session_data: { status: 'completed' },
    });
    await expect(session.end()).rejects.toMatchObject({ status: 400 });
  });

  // guarantee: stale-message-refused-with-revision
  test('answers one of two messages for the same revision, and refuses the other with the current revision', async () => {
    const session = await world.open(noWebhook);
    const outcomes = await Promise.allSettled([
      session.say('first words', 1),
      session.say('second words', 1),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'conflict',
        detail: { message: expect.any(String), expected_revision: 1, actual_revision: 2 },
      },
    });
    const { revision, session_data } = await session.read();
    expect({ revision, turns: session_data.turns.length }).toEqual({ revision: 2, turns: 2 });
  });

  // guarantee: repeated-message-gets-same-answer
  test('answers a repeated message again without adding it twice, at once or after its answer', async () => {
    const session = await world.open(noWebhook);
    const asked = llm.requests.length;
    const [left, right] = await Promise.all([session.say('same words', 1), session.say('same words', 1)]);
    const later = await session.say('same words', 1);
    expect([left.revision, right.revision, later.revision]).toEqual([2, 2, 2]);
    const keyed = await session.say('with a key', undefined, 'key-1');
    expect(await session.say('with a key', undefined, 'key-1')).toEqual(keyed);
    expect(keyed.session_data.turns).toHaveLength(3);
    expect(llm.requests.length - asked).toBe(2);
  });

  test('carries out a repeated request with a key once, whatever happened since its answer was lost', async () => {
    const session = await world.open(noWebhook);
    await session.say('keyed words', undefined, 'key-1');
    await session.say('break it').catch(() => undefined); // fails intentionally
    await session.say('other words');
    await session.say('keyed words', undefined, 'key-1');
    expect(said(await session.read())).toEqual([null, 'keyed words', 'other words']);

    const [, first] = (await session.read()).session_data.turns;
    await session.rewind(first?.id ?? null, undefined, 'key-2');
    await session.say('break it').catch(() => undefined);
    await session.say('after the rewind');
    await session.rewind(first?.id ?? null, undefined, 'key-2');
    expect(said(await session.read())).toEqual([null, 'keyed words', 'after the rewind']);
  });

  test('carries out a repeated request with a key once while the first one waits behind a failing message', async () => {
    const session = await world.open(noWebhook);
    held.gate = createGate();
    const failed = session.say('hold, then break');
    await held.gate.reached;
    const message = {
      callUuid: session.callUuid,
      text: 'keyed words',
      expectedRevision: 1,
      requestId: 'key-1',
    };
    const first = world.starter.sendMessage({ ...message, updateId: 'before-the-failure' });
    const again = world.starter.sendMessage({ ...message, updateId: 'after-the-failure' });
    held.gate.open();
    await failed.catch(() => undefined);
    expect(await Promise.all([first, again])).toEqual([
      { kind: 'answered', revision: 2 },
      { kind: 'answered', revision: 2 },
    ]);
    expect(said(await session.read())).toEqual([null, 'keyed words']);
  });

  test('answers a repetition of the message that ended the conversation', async () => {
    const session = await world.open(threeStepDefinition({ webhook: false, extraction: false }));
    await session.say('go_on', 1);
    const ended = await session.say('done', 2);
    await session.completed();
    expect((await session.say('done', 2)).session_data.turns).toEqual(ended.session_data.turns);
    await expect(session.say('something else', 3)).rejects.toMatchObject({ status: 400 });
  });

  test('asks a failing model three times, then fails the turn with 500, keeps the revision, and accepts the same message later', async () => {
    const session = await world.open(noWebhook);
    const asked = llm.requests.length;
    await expect(session.say('break it', 1)).rejects.toMatchObject({ code: 'provider', status: 500 });
    expect(llm.requests.length - asked).toBe(3);
    expect(await session.read()).toMatchObject({
      revision: 1,
      session_data: { status: 'error', turns: [{ user_message: null }] },
    });
    await expect(session.say('break it', 1)).rejects.toMatchObject({ code: 'provider' });
    expect(llm.requests.length - asked).toBe(6);
    expect(await session.say('good words', 1)).toMatchObject({
      revision: 2,
      session_data: { status: 'idle' },
    });
  });

  test('repairs an edge that was not offered once per attempt and never follows it', async () => {
    const session = await world.open(noWebhook);
    await expect(session.say('nonsense', 1)).rejects.toMatchObject({ code: 'provider', status: 500 });
    expect(await session.read()).toMatchObject({ revision: 1, checkpoint: { current_node_id: 'start' } });
  });

  test('answers a failed opening with 500 and repeats it before the first message is answered', async () => {
    const agentId = await world.createAgent(threeStepDefinition({ greeting: null, webhook: false }));
    const deps = { calls: world.starter };
    const create = { agentId, initialContext: {}, annotations: {} };
    failing.opening = true;
    await expect(createTextSession({ ctx: world.ctx, deps, input: create })).rejects.toMatchObject({
      code: 'provider',
      status: 500,
    });
    failing.opening = false;
    const call = await world.ctx.db.getRepository(calls).findOneByOrFail({ agentId });
    const answered = await sendMessage({
      ctx: world.ctx,
      deps,
      input: { agentId, callId: call.id, text: 'hello', expectedRevision: 0 },
    });
    expect(answered).toMatchObject({
      revision: 2,
      session_data: {
        turns: [
          { user_message: null, assistant_message: { text: 'Reply at You are at the start.' } },
          { user_message: { text: 'hello' } },
        ],
      },
    });
  });

  test('repeats a failed opening for the same key: the same call is opened once', async () => {
    const agentId = await world.createAgent(threeStepDefinition({ greeting: null, webhook: false }));
    const input = { key: 'opening-again', requestHash: 'a'.repeat(64) };
    const request = async () => {
      const ctx = { ...world.ctx };
      await claimIdempotencyKey({ ctx, input });
      return {
        ctx,
        opening: createTextSession({
          ctx,
          deps: { calls: world.starter },
          input: { agentId, initialContext: {}, annotations: {} },
        }),
      };
    };
    failing.opening = true;
    const first = await request();
    await expect(first.opening).rejects.toMatchObject({ code: 'provider', status: 500 });
    await releaseIdempotencyKey({ ctx: first.ctx, input });
    failing.opening = false;
    const second = await request();
    expect(await second.opening).toMatchObject({
      revision: 1,
      session_data: { turns: [{ user_message: null }] },
    });
    expect(await world.ctx.db.getRepository(calls).countBy({ agentId })).toBe(1);
  });

  test('an end during a turn waits for the turn and checks the new revision', async () => {
    const session = await world.open(noWebhook);
    held.gate = createGate();
    const speaking = session.say('hold on', 1);
    await held.gate.reached;
    const ending = session.end(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    held.gate.open();
    expect((await speaking).revision).toBe(2);
    await expect(ending).rejects.toMatchObject({ code: 'conflict', detail: { actual_revision: 2 } });
    const both = await Promise.allSettled([session.end(2), session.end(2)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect((await session.read()).revision).toBe(3);
  });
});
