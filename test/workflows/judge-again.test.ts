import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { ownList } from '../../src/domain/graph/definition.ts';
import { callWorkflowId, judgeAgainWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createKey } from '../../src/services/identity/index.ts';
import { createErasureStarter } from '../../src/temporal/erasure-starter.ts';
import { createJudgingStarter } from '../../src/temporal/judging-starter.ts';
import { startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { node, threeStepDefinition } from '../support/definitions.ts';
import type { FakeReply } from '../support/fake-llm.ts';
import { createGate, createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const scored = (score: number, tag: string): FakeReply => ({
  text: JSON.stringify({
    call_quality_score: score,
    overall_sentiment: 'neutral',
    summary: `SUMMARY ${score}`,
    tags: [tag],
  }),
});
/** The answer of the model that judges, by its instructions. */
let judge: (instructions: string) => FakeReply | Promise<FakeReply> = () => scored(4, 'OLD');
let asked: string[] = [];
const llm = createScriptedLlm({
  before: async ({ messages }, said) => {
    if (!said.startsWith('Step: ')) return undefined;
    const instructions = messages[0]?.content ?? '';
    asked.push(instructions);
    return await judge(instructions);
  },
});
let world: CallWorld;
let api: ApiUnderTest;
let key: string;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
  const { temporal, queues } = world;
  api = await startApi(world.ctx.db, {
    calls: world.starter,
    judgings: createJudgingStarter({ temporal, taskQueue: queues.call }),
    erasures: createErasureStarter({ temporal, taskQueue: queues.delivery }),
  });
  key = (await createKey({ ctx: world.ctx, input: { name: 'Judge' } })).api_key;
});
afterAll(async () => {
  await api.close();
  await world.close();
});
beforeEach(() => {
  judge = () => scored(4, 'OLD');
  asked = [];
});

const qa = (data: Record<string, unknown> = {}) =>
  node('quality', 'qa', { name: 'Quality', qa_min_call_duration: 0, ...data });
const hook = node('hook', 'webhook', {
  name: 'Hook',
  endpoint_url: 'https://receiver.test/hook',
  payload_template: { score: '{{annotations.qa_quality.score}}' },
});
const graph = (quality: unknown) => {
  const base = threeStepDefinition({ webhook: false, extraction: false });
  return { ...base, nodes: [...ownList(base, 'nodes'), hook, quality] };
};

/** An ended call that was judged and has sent its webhook. */
async function judgedCall(quality: unknown = qa()): Promise<OpenSession> {
  const session = await world.open(graph(quality));
  await session.say('Monday would be fine', 1);
  await session.end(2);
  await world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).result();
  asked = [];
  return session;
}

const pathOf = ({ agentId, callId }: OpenSession) => `/workflow/${agentId}/runs/${callId}`;
const askAgain = async (session: OpenSession, body: object = {}) =>
  await api.ask(key, 'POST', `${pathOf(session)}/judge`, body);
const runOf = async (session: OpenSession) => (await api.ask(key, 'GET', pathOf(session))).body;
const ended = async ({ callUuid }: OpenSession, number = 1) =>
  await world.temporal.client.workflow.getHandle(judgeAgainWorkflowId(callUuid, number)).result();
const under = { status: 202, body: { state: 'judging' } };
const auditOf = async ({ callId }: OpenSession) =>
  (
    await world.ctx.db
      .getRepository(auditEvents)
      .find({ where: { subjectKind: 'call', subjectKey: String(callId) }, order: { id: 'ASC' } })
  ).flatMap(({ action, actorKind }) => (action.includes('judg') ? [[action, actorKind]] : []));

test('the new judgment by the published version replaces the former one as a whole, when it is complete; no webhook is sent again, and Temporal has no words', async () => {
  const session = await judgedCall();
  expect(await runOf(session)).toMatchObject({
    annotations: { qa_quality: { score: 4 }, tags: ['OLD'] },
    judged_again: null,
  });
  const update = { workflow_definition: graph(qa({ qa_system_prompt: 'INSTRUCTIONS TWO' })) };
  expect(await api.ask(key, 'PUT', `/workflow/${session.agentId}`, update)).toMatchObject({ status: 200 });
  expect(await api.ask(key, 'POST', `/workflow/${session.agentId}/publish`)).toMatchObject({ status: 200 });
  const gate = createGate();
  judge = async () => {
    await gate.wait();
    return scored(9, 'NEW');
  };

  expect(await askAgain(session, { version: 'published' })).toMatchObject(under);
  await gate.reached;
  expect(await runOf(session)).toMatchObject({
    annotations: { qa_quality: { score: 4 }, tags: ['OLD'] },
    judged_again: {
      state: 'judging',
      count: 0,
      judged_at: null,
      requested_by: { type: 'api_key', name: 'Judge' },
    },
  });
  gate.open();
  await ended(session);
  const { versionId } = await session.row();
  const run = await runOf(session);
  expect(run).toMatchObject({
    annotations: { qa_quality: { score: 9, tags: ['NEW'] }, tags: ['NEW'] },
    judged_again: {
      state: 'judged',
      count: 1,
      reason: null,
      judged_at: expect.any(String),
      judged_by: { type: 'api_key', name: 'Judge' },
      definition_id: expect.any(Number),
    },
  });
  expect(run).not.toMatchObject({ judged_again: { definition_id: versionId } });
  expect(asked.every((each) => each.includes('INSTRUCTIONS TWO'))).toBe(true);
  expect((await session.row()).judging?.draft).toEqual({});
  const sent = await world.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
  expect(sent.map(({ body }) => body)).toEqual([expect.stringContaining('"4"')]);
  expect(await auditOf(session)).toEqual([
    ['call.judgment_requested', 'api_key'],
    ['call.judged_again', 'system'],
  ]);

  const handle = world.temporal.client.workflow.getHandle(judgeAgainWorkflowId(session.callUuid, 1));
  const json = Buffer.from(historyToJSON(await handle.fetchHistory())).toString();
  const payloads = [...json.matchAll(/"data": ?"([^"]*)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  for (const words of ['INSTRUCTIONS', 'SUMMARY', 'Monday']) expect(payloads.join('\n')).not.toContain(words);
});

// guarantee: former-judgment-stays
test('a model that fails is asked three times; then the former judgment stays, the call says why, and the next request succeeds', async () => {
  const session = await judgedCall();
  judge = () => ({ fail: true });
  expect(await askAgain(session)).toMatchObject(under);
  await ended(session);
  expect(await runOf(session)).toMatchObject({
    annotations: { qa_quality: { score: 4 }, tags: ['OLD'] },
    judged_again: {
      state: 'failed',
      count: 0,
      judged_at: null,
      reason: 'provider: The language model failed (3 failures, given up)',
    },
  });
  expect(asked.length).toBeGreaterThanOrEqual(3);
  judge = () => scored(7, 'NEW');
  expect(await askAgain(session)).toMatchObject(under);
  await ended(session, 2);
  expect(await runOf(session)).toMatchObject({
    annotations: { qa_quality: { score: 7 }, tags: ['NEW'] },
    judged_again: { state: 'judged', count: 1, reason: null },
  });
  expect((await auditOf(session)).map(([action]) => action)).toEqual([
    'call.judgment_requested',
    'call.judgment_failed',
    'call.judgment_requested',
    'call.judged_again',
  ]);
});

test('a request while a judgment is under way answers that one; it asks the model once for each node, also outside the sample', async () => {
  const session = await judgedCall(qa({ qa_sample_rate: 1 }));
  const gate = createGate();
  judge = async () => {
    await gate.wait();
    return scored(6, 'NEW');
  };
  const first = await askAgain(session);
  expect(first).toMatchObject(under);
  await gate.reached;
  const second = await askAgain(session, { version: 'published' });
  expect([second.status, second.body]).toEqual([202, first.body]);
  gate.open();
  await ended(session);
  expect(await runOf(session)).toMatchObject({ annotations: { qa_quality: { score: 6 } } });
  const { node_results: results } = Object((await session.row()).annotations['qa_quality']);
  expect(asked).toHaveLength(Object.keys(Object(results)).length);
  expect(await auditOf(session)).toHaveLength(2);
});

test('a judgment of a call that is erased meanwhile writes nothing, and its history is erased as well', async () => {
  const session = await judgedCall();
  const gate = createGate();
  judge = async () => {
    await gate.wait();
    return scored(9, 'NEW');
  };
  expect(await askAgain(session)).toMatchObject(under);
  await gate.reached;
  expect(await api.ask(key, 'POST', `${pathOf(session)}/erase`)).toMatchObject({ status: 202 });
  await until('the call is erased', async () =>
    (await session.row()).variablesErasedAt === null ? undefined : true,
  );
  gate.open();
  await until('the history is gone', async () =>
    (await world.temporal.client.workflow
      .getHandle(judgeAgainWorkflowId(session.callUuid, 1))
      .describe()
      .catch(() => null)) === null
      ? true
      : undefined,
  );
  const row = await session.row();
  expect(row.annotations).toEqual({});
  expect(row.judging).toMatchObject({ state: 'failed', draft: {}, count: 0, reason: 'The call was erased' });
  expect(JSON.stringify(row)).not.toContain('SUMMARY');
  expect(await askAgain(session)).toMatchObject({
    status: 409,
    body: { detail: 'The call was erased, so it cannot be judged.' },
  });
});
