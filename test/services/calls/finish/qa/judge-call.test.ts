import { rehearsedNumbers } from '../../../../../src/domain/call/call-numbers.ts';
import { reportCallEnd } from '../../../../../src/services/campaigns/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { insertRow, updateRows } from '../../../../../src/db/rows.ts';
import { calls, type CallRow } from '../../../../../src/db/tables/calls.ts';
import { deliveries } from '../../../../../src/db/tables/deliveries.ts';
import { textSessions } from '../../../../../src/db/tables/text-sessions.ts';
import { initialCheckpoint } from '../../../../../src/domain/call/checkpoint.ts';
import type { Line } from '../../../../../src/domain/call/line.ts';
import { ownList, type Definition } from '../../../../../src/domain/graph/definition.ts';
import type { CustomerLlm } from '../../../../../src/providers/llm/port.ts';
import { nextJudging, withoutResults } from '../../../../../src/domain/qa/judging.ts';
import { createAgent, findRunnableVersion } from '../../../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../../../src/services/kernel/context.ts';
import {
  admitCall,
  commitTurn,
  finalizeCall,
  prepareDeliveries,
  type ConversationDeps,
  type FinalizeDeps,
  closeJudging,
  giveUpJudgment,
  judgeCall,
} from '../../../../../src/services/calls/index.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../../support/database.ts';
import { edge, node, threeStepDefinition } from '../../../../support/definitions.ts';
import { FakeLlm, type FakeReply } from '../../../../support/fake-llm.ts';

const good = {
  call_quality_score: 8,
  overall_sentiment: 'positive',
  summary: 'It went well.',
  tags: ['DEAD_AIR'],
};
const says = (values: unknown): FakeReply => ({ text: JSON.stringify(values) });
const { signal } = new AbortController();

/** The step of a request, which the user message names first. */
const stepOf = (content: string | undefined) => /^Step: (.*)$/m.exec(content ?? '')?.[1] ?? '';

describe.each(databases)('judging a call on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let answer: (step: string, nth: number) => FakeReply;
  let llm: FakeLlm;
  let chosen: CustomerLlm[];
  let deps: ConversationDeps & FinalizeDeps;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());
  beforeEach(() => {
    answer = () => says(good);
    chosen = [];
    llm = new FakeLlm(({ messages }, nth) => answer(stepOf(messages[1]?.content), nth));
    deps = {
      reportCallEnd,
      ...ctx,
      llm,
      model: 'test-model',
      publicUrl: 'http://parlance.test',
      customerLlms: (choice) => {
        chosen.push(choice);
        return llm;
      },
    };
  });

  const asked = () => llm.requests.map(({ messages }) => stepOf(messages[1]?.content));
  const line = (nodeId: string, speaker: Line['speaker'], text: string): Line => ({
    speaker,
    text,
    at: '2026-11-21T10:00:00.000Z',
    nodeId,
    kind: speaker === 'user' ? 'utterance' : 'reply',
  });

  /** An ended call that visited Start and Ask; `data` is that of its QA node. */
  async function endedCall(
    data: Record<string, unknown> = {},
    {
      lines = [
        line('start', 'assistant', 'Hello'),
        line('start', 'user', 'Hi'),
        line('ask', 'assistant', 'Which day?'),
      ],
      annotations = {},
      more = [] as unknown[],
    } = {},
  ) {
    const base = threeStepDefinition();
    const hook = node('hook', 'webhook', {
      name: 'Hook',
      endpoint_url: 'https://receiver.test/hook',
      payload_template: {
        score: '{{annotations.qa_qa.score}}',
        tags: '{{annotations.tags}}',
        error: '{{annotations.qa_qa.error}}',
        judged: '{{cost_info.llm}}',
      },
    });
    const qa = node('qa', 'qa', { name: 'Quality', qa_min_call_duration: 0, ...data });
    const definition: Definition = {
      nodes: [...ownList(base, 'nodes').slice(0, 4), hook, qa, ...more],
      edges: [
        edge('e1', 'start', 'ask', 'go on'),
        edge('e2', 'ask', 'bye', 'done'),
        edge('e3', 'ask', 'more', 'extra'),
      ],
    };
    const { id: agentId } = await createAgent({ ctx, input: { name: 'Agent', definition } });
    const { version } = await findRunnableVersion(ctx.db.manager, ctx, agentId);
    const createdAt = ctx.clock.now();
    const call = await insertRow(ctx.db.manager, calls, {
      uuid: ctx.ids.uuid(),
      organizationId: ctx.organizationId,
      agentId,
      versionId: version.id,
      name: 'WR-TEXT-000000',
      mode: 'textchat',
      channel: 'text',
      direction: 'inbound',
      source: 'editor',
      state: 'pending',
      isTest: true,
      ...rehearsedNumbers({}),
      initialContext: { name: 'Ada' },
      gatheredContext: {},
      usage: {},
      logs: {},
      annotations,
      judging: null,
      disposition: null,
      tags: [],
      publicToken: null,
      transcriptAvailable: false,
      createdAt,
      startedAt: null,
      answeredAt: null,
      endedAt: null,
      durationSeconds: null,
      latencyP95Ms: null,
      recordedAt: null,
      costUsd: null,
      campaignId: null,
      transcriptErasedAt: null,
      variablesErasedAt: null,
    });
    await ctx.db.getRepository(textSessions).insert({
      callId: call.id,
      organizationId: ctx.organizationId,
      revision: 0,
      branch: 0,
      status: 'idle',
      cursorTurnUuid: null,
      checkpoint: null,
      updatedAt: createdAt,
    });
    const ref = { callId: call.id, organizationId: ctx.organizationId };
    const checkpoint = {
      ...initialCheckpoint,
      nodeId: 'ask',
      visitIndex: 1,
      turnIndex: 0,
      nodesVisited: ['Start', 'Ask'],
      revision: 1,
    };
    await admitCall({ deps, input: ref });
    const step = {
      nodeId: 'start',
      nodeName: 'Start',
      visitIndex: 0,
      lineCount: lines.length,
      usage: null,
      timings: null,
    };
    await commitTurn({
      deps,
      input: { ...ref, checkpoint, failures: 0, from: null, lines, steps: [step], isOver: false },
    });
    const finalized = await finalizeCall({
      deps,
      input: {
        ...ref,
        reason: 'user_hangup',
        checkpoint: { ...checkpoint, revision: 2 },
        extractions: [],
        failedExtractions: [],
      },
    });
    return { ...ref, nodeId: 'qa', finalized };
  }

  const row = ({ callId }: { callId: number }) => ctx.db.getRepository(calls).findOneByOrFail({ id: callId });
  const entry = async (ref: { callId: number }) => (await row(ref)).annotations['qa_qa'];
  const sent = async (ref: { callId: number; organizationId: number }): Promise<unknown> => {
    await prepareDeliveries({ deps, input: ref });
    const [delivery] = await ctx.db.getRepository(deliveries).findBy({ callId: ref.callId });
    return JSON.parse(delivery?.body ?? 'null');
  };

  test('the record of a call lists its enabled QA nodes', async () => {
    const ref = await endedCall({}, { more: [node('off', 'qa', { name: 'Off', qa_enabled: false })] });
    expect(ref.finalized).toMatchObject({ webhooks: 1, qaNodes: [{ nodeId: 'qa', name: 'Quality' }] });
    const without = await endedCall({ qa_enabled: false });
    expect(without.finalized).not.toHaveProperty('qaNodes');
  });

  test("each node with lines is judged by the agent's instructions there; webhooks contain result and tokens", async () => {
    const ref = await endedCall();
    answer = (step) =>
      says({ ...good, call_quality_score: step === 'Ask' ? 5 : 8, tags: [step.toUpperCase(), 'DEAD_AIR'] });
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'judged', score: 6.5 });
    expect(asked().toSorted()).toEqual(['Ask', 'Start']);
    expect(
      llm.requests.find(({ messages }) => stepOf(messages[1]?.content) === 'Ask')?.messages[1]?.content,
    ).toBe(
      'Step: Ask\n\nWhat the assistant was told to do in this step:\nYou ask for the day.\n\nSaid before this step:\nassistant: Hello\nuser: Hi\n\nSaid in this step:\nassistant: Which day?',
    );
    const { annotations, usage } = await row(ref);
    expect(annotations['qa_qa']).toMatchObject({
      node_results: {
        start: {
          node_name: 'Start',
          score: 8,
          overall_sentiment: 'positive',
          summary: 'It went well.',
          tags: ['START', 'DEAD_AIR'],
        },
        ask: { score: 5 },
      },
      score: 6.5,
      tags: ['ASK', 'DEAD_AIR', 'START'],
      model: 'test-model',
      simulated: true,
    });
    expect(annotations['tags']).toEqual(['ASK', 'DEAD_AIR', 'START']);
    const spent = Object(annotations['qa_qa'])['token_usage'];
    expect(spent.total_tokens).toBeGreaterThan(100);
    expect(usage['llm']).toEqual({ 'QAAnalysis|||test-model': spent });
    expect(await sent(ref)).toMatchObject({
      score: '6.5',
      tags: '["ASK", "DEAD_AIR", "START"]',
      judged: expect.stringContaining('QAAnalysis|||test-model'),
    });
  });

  test('a repeated request does not ask the model and changes nothing', async () => {
    const ref = await endedCall();
    const first = await judgeCall({ deps, input: ref, signal });
    const before = await row(ref);
    expect(await judgeCall({ deps, input: ref, signal })).toEqual(first);
    expect(asked()).toHaveLength(2);
    expect(await row(ref)).toEqual(before);
  });

  const change = async ({ callId: id }: { callId: number }, values: Partial<CallRow>) =>
    await updateRows(ctx.db.manager, calls, {
      where: { id, organizationId: ctx.organizationId },
      change: values,
    });

  /** The same judgment, asked for after the call's own. */
  async function askAgain(ref: Awaited<ReturnType<typeof endedCall>>) {
    const { versionId, judging: before } = await row(ref);
    const by = { actorKind: 'system', actorId: null, actorName: 'test' };
    const judging = nextJudging(before, { versionId, at: ctx.clock.now(), by });
    await change(ref, { judging });
    return { ...ref, again: { number: judging.number, versionId } };
  }

  test('a judgment that was asked for leaves the former one until it ends, and what comes late changes neither', async () => {
    const ref = await endedCall();
    await judgeCall({ deps, input: ref, signal });
    const again = await askAgain(ref);
    answer = () => says({ ...good, call_quality_score: 3 });
    const outcome = await judgeCall({ deps, input: again, signal });
    expect(outcome).toEqual({ kind: 'judged', score: 3 });
    expect(await entry(ref)).toMatchObject({ score: 8 });
    const close = async () => await closeJudging({ deps, input: { ...again, outcomes: [outcome] } });
    expect(await close()).toBe('judged');
    const done = await row(ref);
    expect(done.annotations['qa_qa']).toMatchObject({ score: 3 });
    expect(await close()).toBe('over');
    await giveUpJudgment({ deps, input: { ...ref, error: 'late' } });
    await expect(judgeCall({ deps, input: again, signal })).rejects.toMatchObject({ code: 'precondition' });
    expect(await row(ref)).toEqual(done);
  });

  // guarantee: erased-call-stays-unjudged
  test('a judgment that was asked for writes nothing once the call was erased', async () => {
    const ref = await endedCall();
    const again = await askAgain(ref);
    const outcome = await judgeCall({ deps, input: again, signal });
    await change(ref, {
      annotations: {},
      variablesErasedAt: new Date(),
      judging: withoutResults((await row(ref)).judging),
    });
    const erased = await row(ref);
    await expect(judgeCall({ deps, input: again, signal })).rejects.toMatchObject({ code: 'precondition' });
    expect(await closeJudging({ deps, input: { ...again, outcomes: [outcome] } })).toBe('over');
    expect(await row(ref)).toEqual(erased);
  });

  test('the cost of judging is added to the cost of the call, unusable answers included', async () => {
    deps = { ...deps, prices: { 'simulated|||test-model': { prompt: 1, cachedPrompt: 1, completion: 1 } } };
    const ref = await endedCall();
    expect((await row(ref)).costUsd).toBe(0);
    answer = (step) => (step === 'Ask' ? { text: 'It was', fail: true } : says(good));
    await expect(judgeCall({ deps, input: ref, signal })).rejects.toMatchObject({ code: 'provider' });
    const broken = await row(ref);
    answer = () => says(good);
    await judgeCall({ deps, input: ref, signal });
    const { usage, costUsd, annotations } = await row(ref);
    const total = Object(usage['llm'])['QAAnalysis|||test-model'].total_tokens;
    expect(total).toBe(Object(annotations['qa_qa'])['token_usage'].total_tokens);
    expect(costUsd).toBeCloseTo(total / 1_000_000, 8);
    expect(Number(broken.costUsd)).toBeLessThan(Number(costUsd));
  });

  test('after a failure only the missing nodes are judged', async () => {
    const ref = await endedCall();
    answer = (step) => (step === 'Ask' ? { fail: true } : says(good));
    await expect(judgeCall({ deps, input: ref, signal })).rejects.toMatchObject({
      code: 'provider',
      retryable: true,
    });
    expect(await entry(ref)).toMatchObject({ node_results: { start: { score: 8 } } });
    answer = () => says(good);
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'judged', score: 8 });
    expect(asked().toSorted()).toEqual(['Ask', 'Ask', 'Start']);
  });

  test('an unreadable answer is a failure of the model, whose tokens count', async () => {
    const ref = await endedCall({}, { lines: [line('start', 'assistant', 'Hello')] });
    for (const bad of [
      { text: 'It was fine.' },
      says({ ...good, call_quality_score: 11 }),
      says({ ...good, overall_sentiment: 'meh' }),
      says({ ...good, tags: 'none' }),
    ]) {
      answer = () => bad;
      await expect(judgeCall({ deps, input: ref, signal })).rejects.toMatchObject({
        code: 'provider',
        retryable: true,
        reason: 'unreadable',
      });
    }
    const { usage, annotations } = await row(ref);
    const spent = Object(annotations['qa_qa'])['token_usage'];
    expect(Object(annotations['qa_qa'])['node_results']).toEqual({});
    expect(usage['llm']).toEqual({ 'QAAnalysis|||test-model': spent });
    answer = () => ({ text: `Here you are:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`` });
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'judged', score: 8 });
  });

  test("the customer's own instructions determine the JSON, which is stored completely", async () => {
    const ref = await endedCall(
      { qa_system_prompt: 'Check {{node_name}} for {{name}}.' },
      { lines: [line('start', 'assistant', 'Hello')] },
    );
    answer = () =>
      says({
        identity_verified: true,
        score: 'A+',
        tags: [{ tag: 'LATE', reason: 'it was' }],
        summary: 'Fine.',
      });
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'judged', score: null });
    expect(llm.requests[0]?.messages[0]?.content).toBe('Check Start for Ada.');
    expect(llm.requests[0]?.responseFormat).toBeUndefined();
    expect(llm.requests[0]?.measuredAs).toBe('judgment');
    expect(await entry(ref)).toMatchObject({
      node_results: {
        start: {
          score: null,
          summary: 'Fine.',
          tags: ['LATE'],
          answer: { identity_verified: true, score: 'A+' },
        },
      },
      score: null,
    });
    expect((await row(ref)).annotations['tags']).toEqual(['LATE']);
  });

  test('a skipped call has a reason, and no model is asked', async () => {
    const short = await endedCall({ qa_min_call_duration: 15 });
    expect(await judgeCall({ deps, input: short, signal })).toEqual({
      kind: 'skipped',
      reason: expect.stringMatching(/^call duration \(\d+\.\ds\) below minimum \(15s\)$/),
    });
    expect(await entry(short)).toEqual({ skipped: true, reason: expect.stringContaining('below minimum') });
    const voicemail = await endedCall();
    await updateRows(ctx.db.manager, calls, {
      where: { id: voicemail.callId, organizationId: ctx.organizationId },
      change: { disposition: 'voicemail_detected' },
    });
    expect(await judgeCall({ deps, input: voicemail, signal })).toEqual({
      kind: 'skipped',
      reason: 'voicemail calls are not judged',
    });
    const silent = await endedCall({}, { lines: [] });
    expect(await judgeCall({ deps, input: silent, signal })).toEqual({
      kind: 'skipped',
      reason: 'nothing was said',
    });
    expect(asked()).toEqual([]);
  });

  test('a judgment that ended with an error is final: a late answer changes neither the result nor the webhook', async () => {
    const ref = await endedCall({}, { lines: [line('start', 'assistant', 'Hello')] });
    const gate = Promise.withResolvers<void>();
    const late = new FakeLlm(async () => {
      await gate.promise;
      return says(good);
    });
    const judging = judgeCall({ deps: { ...deps, llm: late }, input: ref, signal });
    expect(await giveUpJudgment({ deps, input: { ...ref, error: 'not in time' } })).toEqual({
      kind: 'failed',
      error: 'not in time',
    });
    gate.resolve();
    expect(await judging).toEqual({ kind: 'failed', error: 'not in time' });
    expect(await entry(ref)).toEqual({ error: 'not in time' });
    expect(await sent(ref)).toMatchObject({ error: 'not in time', score: '' });
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'failed', error: 'not in time' });
    expect(asked()).toEqual([]);
  });

  test("two QA nodes that judge at once keep each other's results", async () => {
    const ref = await endedCall(
      {},
      { more: [node('second', 'qa', { name: 'Second', qa_min_call_duration: 0 })] },
    );
    await Promise.all([
      judgeCall({ deps, input: ref, signal }),
      judgeCall({ deps, input: { ...ref, nodeId: 'second' }, signal }),
    ]);
    const { annotations, usage } = await row(ref);
    const spent = [annotations['qa_qa'], annotations['qa_second']].map(
      (each) => Object(each)['token_usage'].total_tokens,
    );
    expect(Object(usage['llm'])['QAAnalysis|||test-model'].total_tokens).toBe(spent[0] + spent[1]);
    expect([annotations['qa_qa'], annotations['qa_second']]).toEqual([
      expect.objectContaining({ score: 8 }),
      expect.objectContaining({ score: 8 }),
    ]);
  });

  test("a node's own model is asked with its own key; an unusable one is an error at once", async () => {
    const own = {
      qa_use_workflow_llm: false,
      qa_provider: 'azure',
      qa_model: 'judge-4',
      qa_api_key: 'key-1',
      qa_endpoint: 'https://me.openai.azure.com',
    };
    deps = { ...deps, prices: {} };
    const ref = await endedCall(own);
    await judgeCall({ deps, input: ref, signal });
    expect(chosen).toEqual([{ provider: 'azure', apiKey: 'key-1', endpoint: 'https://me.openai.azure.com' }]);
    expect(llm.requests.map(({ model }) => model)).toEqual(['judge-4', 'judge-4']);
    const { usage, costUsd } = await row(ref);
    expect(Object.keys(Object(usage['llm']))).toEqual(['QAAnalysis|||judge-4']);
    expect(costUsd).toBe(0); // the customer pays for it
    const keyless = await endedCall({ ...own, qa_api_key: null });
    expect(await judgeCall({ deps, input: keyless, signal })).toEqual({
      kind: 'failed',
      error: 'The QA node has no API key',
    });
    expect(await entry(keyless)).toEqual({ error: 'The QA node has no API key' });
  });

  test('a result that the request itself set does not count', async () => {
    const ref = await endedCall({}, { annotations: { qa_qa: { score: 10, error: 'forged' }, note: 'kept' } });
    expect((await row(ref)).annotations).toEqual({ note: 'kept' });
    expect(await judgeCall({ deps, input: ref, signal })).toEqual({ kind: 'judged', score: 8 });
  });

  test('a call of another organization is not found and not changed', async () => {
    const ref = await endedCall();
    const foreign = { ...ref, organizationId: ref.organizationId + 1 };
    await expect(judgeCall({ deps, input: foreign, signal })).rejects.toMatchObject({ code: 'not_found' });
    await expect(giveUpJudgment({ deps, input: { ...foreign, error: 'x' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await entry(ref)).toBeUndefined();
  });
});
