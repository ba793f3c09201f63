import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { ownList } from '../../src/domain/graph/definition.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { node, threeStepDefinition } from '../support/definitions.ts';
import type { FakeReply } from '../support/fake-llm.ts';
import { createGate, createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const good = {
  text: JSON.stringify({
    call_quality_score: 8,
    overall_sentiment: 'positive',
    summary: 'SUMMARY OF THE JUDGE',
    tags: ['DEAD_AIR'],
  }),
};
/** The answer of the model that judges; the question names a step of the call. */
let judge: (question: string) => FakeReply | Promise<FakeReply> = () => good;
let questions: string[] = [];
const llm = createScriptedLlm({
  before: async ({ messages }, said) => {
    if (!said.startsWith('Step: ')) return undefined;
    questions.push(`${messages[0]?.content ?? ''}\n${said}`);
    return await judge(said);
  },
});
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
});
afterAll(async () => await world.close());
beforeEach(() => {
  judge = () => good;
  questions = [];
  world.adjustInput((input) => input);
});

const qa = (id: string, data: Record<string, unknown> = {}) =>
  node(id, 'qa', { name: `Quality ${id}`, qa_min_call_duration: 0, ...data });
const hook = node('hook', 'webhook', {
  name: 'Hook',
  endpoint_url: 'https://receiver.test/hook',
  payload_template: { one: '{{annotations.qa_one}}', tokens: '{{cost_info.llm}}' },
});

/** An ended call of one greeting and one exchange, with its Workflow's history. */
async function ended(nodes: readonly unknown[]) {
  const base = threeStepDefinition({ webhook: false, extraction: false });
  const session = await world.open({ ...base, nodes: [...ownList(base, 'nodes'), hook, ...nodes] });
  await session.say('Monday would be fine', 1);
  await session.end(2);
  return session;
}

const handleOf = ({ callUuid }: OpenSession) =>
  world.temporal.client.workflow.getHandle(callWorkflowId(callUuid));
const annotationsOf = async (session: OpenSession) => (await session.row()).annotations;

/** Waits until the call has sent its webhooks. Returns their bodies. */
async function webhooksOf(session: OpenSession): Promise<Record<string, string>[]> {
  await handleOf(session).result();
  const rows = await world.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
  await until('the webhooks', async () =>
    rows.every(({ uuid }) => world.delivered.includes(uuid)) ? true : undefined,
  );
  return rows.map(({ body }) => JSON.parse(body ?? 'null'));
}

test('QA nodes judge after the end and before the webhook, which contains the result; Temporal has neither the instructions nor the answer', async () => {
  const session = await ended([
    qa('one', { qa_system_prompt: 'INSTRUCTIONS OF THE CUSTOMER', qa_api_key: 'KEY OF THE CUSTOMER' }),
    qa('two'),
  ]);
  const [body, ...others] = await webhooksOf(session);
  expect(others).toEqual([]);
  expect(body?.['one']).toContain('"score": 8');
  expect(body?.['tokens']).toContain('QAAnalysis|||test-model');
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('user: Monday would be fine');
  expect(await annotationsOf(session)).toMatchObject({
    qa_one: { score: 8 },
    qa_two: { score: 8, node_results: { start: { node_name: 'Start' } } },
    tags: ['DEAD_AIR'],
  });

  const history = await handleOf(session).fetchHistory();
  const json = Buffer.from(historyToJSON(history)).toString();
  const payloads = [...json.matchAll(/"data": ?"([^"]*)"/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString())
    .join('\n');
  for (const secret of ['INSTRUCTIONS OF', 'KEY OF', 'SUMMARY OF']) expect(payloads).not.toContain(secret);
  const summaries = (history.events ?? []).map((event) =>
    Buffer.from(event.userMetadata?.summary?.data ?? []).toString(),
  );
  for (const summary of ['Judge the call · Quality one', 'Judge the call · Quality two'])
    expect(summaries.join('\n')).toContain(summary);
  const { typedSearchAttributes } = await handleOf(session).describe();
  expect(JSON.stringify(typedSearchAttributes.getAll())).toMatch(/"QaScore"[^}]*}[^}]*8/);
});

test('a call that is too short is not judged, and the webhook contains the reason', async () => {
  const session = await ended([qa('one', { qa_min_call_duration: 900 })]);
  const [body] = await webhooksOf(session);
  expect(body?.['one']).toMatch(/"skipped": true, "reason": "call duration/);
  expect(questions).toEqual([]);
});

test('an unavailable model is asked three times, then webhooks are sent with the error; another QA node keeps its result', async () => {
  judge = (question) =>
    question.includes('Monday') && questions.at(-1)?.startsWith('AWAY') === true ? { fail: true } : good;
  const session = await ended([qa('one', { qa_system_prompt: 'AWAY' }), qa('two')]);
  const [body] = await webhooksOf(session);
  expect(body?.['one']).toBe('{"error": "provider: The language model failed (3 failures, given up)"}');
  expect(questions.filter((each) => each.startsWith('AWAY'))).toHaveLength(3);
  expect(await annotationsOf(session)).toMatchObject({ qa_two: { score: 8 } });
  const { typedSearchAttributes } = await handleOf(session).describe();
  expect(JSON.stringify(typedSearchAttributes.getAll())).toMatch(/ErrorCodes.*qa/);
});

test('an unreadable answer is requested again, at most three times in total', async () => {
  judge = () => (questions.length < 3 ? { text: 'No JSON here.' } : good);
  const session = await ended([qa('one')]);
  const [body] = await webhooksOf(session);
  expect(body?.['one']).toContain('"score": 8');
  expect(questions).toHaveLength(3);

  judge = () => ({ text: 'No JSON here.' });
  const bad = await ended([qa('one')]);
  const [webhook] = await webhooksOf(bad);
  expect(webhook?.['one']).toContain('The judgment of the language model cannot be read');
});

test('a model that hangs delays the webhooks only up to the maximum time, and its late answer changes nothing', async () => {
  world.adjustInput((input) => ({ ...input, judgmentLimitMs: 1000 }));
  const gate = createGate();
  judge = async () => {
    await gate.wait();
    return good;
  };
  const session = await ended([qa('one')]);
  const [body] = await webhooksOf(session);
  expect(body?.['one']).toMatch(/^\{"error": "provider: no result in time/);
  gate.open();
  expect(await annotationsOf(session)).toMatchObject({
    qa_one: { error: expect.stringContaining('no result in time') },
  });
});

test('the request that ends a call does not wait for its judgment', async () => {
  const gate = createGate();
  judge = async () => {
    await gate.wait();
    return good;
  };
  const session = await ended([qa('one')]);
  await gate.reached;
  expect(await session.read()).toMatchObject({ is_completed: true, annotations: {} });
  expect(await world.ctx.db.getRepository(deliveries).countBy({ callId: session.callId })).toBe(0);
  gate.open();
  expect((await webhooksOf(session))[0]?.['one']).toContain('"score": 8');
});

test('after a worker died, the next one judges only the missing nodes', async () => {
  const gate = createGate();
  judge = async (question) => {
    if (question.startsWith('Step: Ask')) {
      await gate.wait();
      judge = () => good;
    }
    return good;
  };
  const other = await createCallWorld({ llm });
  try {
    const first = await other.startWorker({ shutdownGraceMs: 100 });
    const base = threeStepDefinition({ webhook: false, extraction: false });
    const session = await other.open({ ...base, nodes: [...ownList(base, 'nodes'), hook, qa('one')] });
    await session.say('go_on', 1);
    await session.end(2);
    await gate.reached;
    await until('the first answer', async () =>
      Object.hasOwn(Object((await annotationsOf(session))['qa_one']), 'node_results') ? true : undefined,
    );
    const stopped = first.stop();
    gate.open();
    await stopped;
    await other.startWorker();
    await other.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).result();
    const rows = await other.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
    expect(rows).toHaveLength(1);
    expect(await annotationsOf(session)).toMatchObject({
      qa_one: { score: 8, node_results: { start: { score: 8 }, ask: { score: 8 } } },
    });
    expect(questions.filter((each) => each.includes('\nStep: Start'))).toHaveLength(1);
    expect(questions.filter((each) => each.includes('\nStep: Ask')).length).toBeLessThanOrEqual(2);
  } finally {
    await other.close();
  }
});
