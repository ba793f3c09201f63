import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { callSummaries } from '../../src/db/tables/call-summaries.ts';
import { renderTranscript, createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm, lastWords } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const asked = (content: string) => content.startsWith('Summarize the conversation');
const summaries: { answer: 'text' | 'fail' | 'hold'; gate: ReturnType<typeof createGate> } = {
  answer: 'text',
  gate: createGate(),
};
const llm = createScriptedLlm({
  before: async (request) => {
    if (!asked(request.messages[0]?.content ?? '')) return undefined;
    if (summaries.answer === 'fail') return { fail: true };
    if (summaries.answer === 'hold') await summaries.gate.wait();
    return { text: 'SHORT' };
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

/** A session at its second node; its history has seven lines when `turns` is 3. */
async function moved({
  settings = { context_compaction_enabled: true },
  turns = 3,
}: { settings?: Record<string, unknown>; turns?: number } = {}): Promise<OpenSession> {
  const { ctx } = world;
  const agentId = await world.createAgent(threeStepDefinition({ webhook: false }));
  await updateRows(ctx.db.manager, agentVersions, {
    where: { agentId, organizationId: ctx.organizationId },
    change: { settings },
  });
  const opening = await createTextSession({
    ctx,
    deps: { calls: world.starter },
    input: { agentId, initialContext: {}, annotations: {} },
  });
  const session = await sessionOf({ ctx, starter: world.starter, agentId, opening });
  for (let turn = 1; turn < turns; turn += 1) await session.say(`line ${turn}`, turn);
  await session.say('go_on', turns);
  return session;
}

const stored = ({ callId }: OpenSession) => world.ctx.db.getRepository(callSummaries).findBy({ callId });
const summarized = (session: OpenSession) => until('the summary', async () => (await stored(session))[0]);
const promptOf = (said: string) =>
  (
    llm.requests.findLast((request) => request.responseFormat === undefined && lastWords(request) === said)
      ?.messages ?? []
  ).map(({ content }) => content);
const summaryRequests = () => llm.requests.filter(({ messages }) => asked(messages[0]?.content ?? ''));

test('a long history is summarized in prompts after a transition, and nowhere else', async () => {
  summaries.answer = 'text';
  const session = await moved();
  expect(await summarized(session)).toMatchObject({ turnIndex: 3, branch: 0, lineCount: 5, text: 'SHORT' });
  expect(summaryRequests().at(-1)?.messages[1]?.content).toMatch(/assistant: Hello there\.\nuser: line 1\n/);
  await session.say('after it', 4);
  const prompt = promptOf('after it');
  expect(prompt).toHaveLength(5);
  expect(prompt[1]).toContain('SHORT');
  expect(prompt.slice(2)).toEqual(['go_on', 'Reply at You ask for the day.', 'after it']);

  await session.end(5);
  const { usage, callId } = await session.row().then(({ id, usage: used }) => ({ callId: id, usage: used }));
  const extraction = llm.requests.findLast((request) => request.responseFormat !== undefined)?.messages[1]
    ?.content;
  expect([extraction?.includes('line 1'), extraction?.includes('SHORT')]).toEqual([true, false]);
  const transcript = await renderTranscript({
    db: world.ctx.db,
    callId,
    organizationId: world.ctx.organizationId,
  });
  expect([transcript.includes('line 1'), transcript.includes('SHORT')]).toEqual([true, false]);
  expect(usage).toHaveProperty('llm');
});

test('a rewind to before its turn discards the summary', async () => {
  summaries.answer = 'text';
  const session = await moved();
  await summarized(session);
  const { session_data: data } = await session.read();
  await session.rewind(data.turns[2]?.id ?? null, 4);
  await session.say('other way', 5);
  expect(promptOf('other way').join('\n')).not.toContain('SHORT');
  expect(promptOf('other way')).toContain('line 1');
});

test('nothing waits for a summary, and a failed one changes nothing', async () => {
  summaries.answer = 'hold';
  const waiting = await moved();
  await summaries.gate.reached;
  expect((await waiting.say('meanwhile', 4)).revision).toBe(5);
  expect((await waiting.end(5)).is_completed).toBe(true);
  summaries.gate.open();

  summaries.answer = 'fail';
  const before = summaryRequests().length;
  const session = await moved();
  await until('the failure', async () => summaryRequests().length > before);
  await session.say('all the same', 4);
  expect(promptOf('all the same')).toContain('line 1');
  expect(await stored(session)).toEqual([]);
});

test('no summary is made without the setting of the pinned version or for a short history', async () => {
  summaries.answer = 'text';
  const before = summaryRequests().length;
  await (await moved({ settings: {} })).say('off', 4);
  await (await moved({ turns: 2 })).say('short', 3);
  expect(promptOf('off')).toContain('line 1');
  expect(promptOf('short')).toContain('line 1');
  expect(summaryRequests().length).toBe(before);
});
