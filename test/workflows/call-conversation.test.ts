import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import { createTextSession, endTextSession, getTextSession, sendMessage } from '../../src/services/text-sessions/index.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { FakeLlm, type FakeReply } from '../support/fake-llm.ts';
import type { LlmRequest } from '../../src/providers/llm/port.ts';

/** Moves on `go` and `done`, reads Monday out of anything, says where it is otherwise. */
function answerTo(request: LlmRequest): FakeReply {
  if (request.responseFormat !== undefined) return { text: JSON.stringify({ day: 'Monday' }) };
  const said = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const system = request.messages[0]?.content ?? '';
  const wanted = request.tools.find(({ name }) => said.includes(name));
  if (wanted !== undefined) return { toolCalls: [{ name: wanted.name }] };
  return { text: system.includes('goodbye') ? 'Goodbye.' : `Reply at ${system}` };
}

let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm: new FakeLlm(answerTo) });
  await world.startWorker();
}, 60_000);

afterAll(async () => {
  await world.close();
});

describe('a text conversation', () => {
  test('greets, moves through its nodes, ends at the end node, and hands one webhook over with what was read', async () => {
    const { ctx, starter } = world;
    const deps = { calls: starter };
    const agentId = await world.createAgent(threeStepDefinition());
    const opened = await createTextSession({ ctx, deps, input: { agentId, initialContext: { name: 'Ada' }, annotations: {} } });
    expect(opened).toMatchObject({ revision: 1, state: 'running', is_completed: false, session_data: { status: 'idle', turns: [{ user_message: null, assistant_message: { text: 'Hello Ada.' } }] } });

    const input = { agentId, callId: opened.workflow_run_id };
    const asked = await sendMessage({ ctx, deps, input: { ...input, text: 'yes go_on', expectedRevision: 1 } });
    expect(asked.revision).toBe(2);
    expect(asked.session_data.turns[1]?.assistant_message?.text).toBe('Reply at You ask for the day.');

    const ended = await sendMessage({ ctx, deps, input: { ...input, text: 'done', expectedRevision: 2 } });
    expect(ended).toMatchObject({ revision: 3, session_data: { status: 'completed' } });
    expect(ended.session_data.turns[2]?.assistant_message?.text).toBe('Goodbye.');
    await expect(sendMessage({ ctx, deps, input: { ...input, text: 'more' } })).rejects.toMatchObject({ code: 'precondition', status: 400 });

    const complete = await until(async () => {
      const session = await getTextSession({ ctx, input });
      return session.is_completed && world.delivered.length > 0 ? session : undefined;
    });
    expect(complete.gathered_context).toMatchObject({ day: 'Monday', extracted_variables: { day: 'Monday' }, nodes_visited: ['Start', 'Ask', 'Bye'], call_disposition: 'user_qualified' });
    expect(world.delivered).toHaveLength(1);
    const row = await ctx.db.getRepository(calls).findOneByOrFail({ id: input.callId });
    expect(row).toMatchObject({ state: 'ended', disposition: 'user_qualified', tags: ['user_qualified', 'user_speech'] });
  }, 60_000);

  test('ends by request with the record complete in the answer', async () => {
    const { ctx, starter } = world;
    const deps = { calls: starter };
    const agentId = await world.createAgent(threeStepDefinition({ webhook: false }));
    const { workflow_run_id: callId } = await createTextSession({ ctx, deps, input: { agentId, initialContext: {}, annotations: {} } });
    const ended = await endTextSession({ ctx, deps, input: { agentId, callId, expectedRevision: 1 } });
    expect(ended).toMatchObject({ revision: 2, state: 'completed', is_completed: true, gathered_context: { call_disposition: 'user_hangup' }, session_data: { status: 'completed' } });
  }, 60_000);
});

/** Asks again until there is an answer. */
async function until<T>(ask: () => Promise<T | undefined>, limitMs = 20_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
