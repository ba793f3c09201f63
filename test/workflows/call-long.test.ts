import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { callSummaries } from '../../src/db/tables/call-summaries.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import type { LlmRequest } from '../../src/providers/llm/port.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm, lastWords } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

/**
 * 430 turns, beyond the history length at which Temporal itself suggests a fresh run, without a
 * lower limit for the test.
 */

const answerTo = (words: string) => `Answer to ${words}.`;
const isSummary = ({ messages }: LlmRequest) =>
  messages[0]?.content.startsWith('Summarize the conversation') === true;
/** Answers every message with itself, unless it names an edge. */
const llm = createScriptedLlm({
  before: (request, said) => {
    if (isSummary(request)) return { text: 'SHORT' };
    const mayMove =
      request.responseFormat !== undefined || request.tools.some(({ name }) => said.includes(name));
    return mayMove ? undefined : { text: answerTo(said) };
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

async function openWithSummaries(): Promise<OpenSession> {
  const { ctx, starter } = world;
  const agentId = await world.createAgent(threeStepDefinition());
  await updateRows(ctx.db.manager, agentVersions, {
    where: { agentId, organizationId: ctx.organizationId },
    change: { settings: { context_compaction_enabled: true } },
  });
  const opening = await createTextSession({
    ctx,
    deps: { calls: starter },
    input: { agentId, initialContext: {}, annotations: {} },
  });
  return await sessionOf({ ctx, starter, agentId, opening });
}

/** The current and the first run of the call's Workflow. */
async function runsOf({ callUuid }: OpenSession): Promise<{ first: string; present: string }> {
  const { raw } = await world.temporal.client.workflow.getHandle(callWorkflowId(callUuid)).describe();
  return {
    first: raw.workflowExecutionInfo?.firstRunId ?? '',
    present: raw.workflowExecutionInfo?.execution?.runId ?? '',
  };
}

/** The conversation in the prompt of that message: the summary of its first lines, and the lines in full. */
function promptOf(words: string): { asked: number; note: string; lines: string[] } {
  const requests = llm.requests.filter(
    (request) => request.responseFormat === undefined && !isSummary(request) && lastWords(request) === words,
  );
  const [system, ...rest] = requests.at(-1)?.messages ?? [];
  const note = rest[0]?.role === 'system' ? rest[0].content : '';
  return {
    asked: system === undefined ? 0 : requests.length,
    note,
    lines: rest.slice(note === '' ? 0 : 1).map(({ content }) => content),
  };
}

// guarantee: long-call-continues-as-new
test('a call of 430 turns continues in fresh runs: each message is answered once and in order, a rewind can target an earlier run, and its webhook is sent once', async () => {
  const session = await openWithSummaries();
  const said: string[] = [];
  const lines = ['Hello there.'];
  let revision = 1;
  const speak = async (words: string, reply = answerTo(words)) => {
    await session.say(words, revision);
    revision += 1;
    said.push(words);
    lines.push(words, reply);
  };
  /** The prompt has the whole conversation, with a summary of its beginning. */
  const mustSeeAll = async (words: string) => {
    const { asked, note, lines: seen } = promptOf(words);
    const summaries = await world.ctx.db.getRepository(callSummaries).findBy({ callId: session.callId });
    const whole = lines.slice(0, lines.lastIndexOf(words) + 1);
    expect({ asked, tail: whole.slice(whole.length - seen.length) }).toEqual({ asked: 1, tail: seen });
    expect([
      note === '' ? 0 : -1,
      ...summaries.filter(() => note !== '').map(({ lineCount }) => lineCount),
    ]).toContain(whole.length - seen.length);
  };

  for (let turn = 1; turn <= 60; turn += 1) await speak(`line ${turn}`);
  await speak('go_on', answerTo('go_on'));
  for (let turn = 62; turn <= 400; turn += 1) await speak(`line ${turn}`);
  await mustSeeAll('line 400');
  const { first, present } = await runsOf(session);
  expect(present).not.toBe(first);

  const { session_data: data } = await session.read();
  expect(
    data.turns.map(({ user_message: user, assistant_message: agent }) => [user?.text, agent?.text]),
  ).toEqual([[undefined, 'Hello there.'], ...said.map((words) => [words, answerTo(words)])]);
  await session.rewind(data.turns[100]?.id ?? '', revision);
  revision += 1;
  said.splice(100);
  lines.splice(201);
  for (let turn = 101; turn <= 130; turn += 1) await speak(`other ${turn}`);
  await mustSeeAll('other 130');

  const ended = await session.end(revision);
  expect(ended.session_data.turns.map(({ user_message: user }) => user?.text)).toEqual([undefined, ...said]);
  expect(ended.session_data.discarded_future).toHaveLength(300);
  for (const words of [...said.filter((each) => each !== 'go_on'), 'line 200'])
    expect({ words, asked: promptOf(words).asked }).toEqual({ words, asked: 1 });
  expect(
    await until('the webhook', async () => (world.delivered.length > 0 ? world.delivered : undefined)),
  ).toHaveLength(1);
});
