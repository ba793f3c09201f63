import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { ToolDefinition } from '../../src/contract/tools.ts';
import { isObject, ownList, ownObject } from '../../src/domain/graph/definition.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../../test/support/call-world.ts';
import { edge, node, threeStepDefinition } from '../../test/support/definitions.ts';
import { createScriptedLlm } from '../../test/support/scripted-llm.ts';
import { until } from '../../test/support/until.ts';
import type { Recording } from './recording.ts';

const noWebhook = threeStepDefinition({ webhook: false });
const waitAndFetch = {
  delayed_start: true,
  delayed_start_duration: 0.3,
  pre_call_fetch_mode: 'always',
  pre_call_fetch_url: 'https://receiver.test/values',
};
const beforeOpening = {
  ...noWebhook,
  nodes: [
    node('start', 'startCall', {
      name: 'Start',
      prompt: 'You are at the start.',
      greeting: 'Hello.',
      ...waitAndFetch,
    }),
    node('ask', 'agentNode', { name: 'Ask', prompt: 'You ask.' }),
  ],
  edges: [edge('e1', 'start', 'ask', 'go on')],
};

const scenarios: Record<string, (world: CallWorld) => Promise<OpenSession>> = {
  async 'plain-end'(world) {
    const session = await world.open(noWebhook);
    await session.say('hello', 1);
    await session.end(2);
    return session;
  },
  async 'nodes-extraction-webhook'(world) {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await session.say('extra', 2);
    await session.say('again', 3);
    await session.say('done', 4);
    return session;
  },
  async 'failed-turn-then-recovery'(world) {
    const session = await world.open(noWebhook);
    await session.say('break', 1).catch(() => undefined); // it fails by design
    await session.say('go_on', 1);
    await session.end(2);
    return session;
  },
  async 'inactivity-end'(world) {
    world.adjustInput((input) => ({ ...input, channel: { ...input.channel, inactivityTimeoutMs: 500 } }));
    return await world.open(noWebhook);
  },
  async canceled(world) {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).cancel();
    return session;
  },
  async 'two-messages-at-once'(world) {
    const session = await world.open(noWebhook);
    await Promise.allSettled([session.say('one', 1), session.say('two', 1)]);
    await session.end(2);
    return session;
  },
  async 'before-opening'(world) {
    const session = await world.open(beforeOpening);
    await session.say('go_on', 1);
    await session.end(2);
    return session;
  },
  async summarized(world) {
    world.adjustInput((input) => ({ ...input, summarizes: true }));
    const session = await world.open(noWebhook);
    await session.say('hello', 1);
    await session.say('go_on', 2);
    await session.say('still here', 3);
    await session.end(4);
    return session;
  },
  async rewound(world) {
    const session = await world.open(noWebhook);
    const asked = await session.say('go_on', 1);
    await session.say('extra', 2);
    await session.rewind(asked.session_data.turns[1]?.id ?? null, 3);
    await session.rewind(null, 4);
    await session.say('go_on', 6);
    await session.end(7);
    return session;
  },
  async 'tools-then-end-by-tool'(world) {
    const make = async (name: string, definition: ToolDefinition) =>
      (
        await createTool({
          ctx: world.ctx,
          input: { name, description: null, icon: 'globe', iconColor: '#3B82F6', definition },
        })
      ).tool_uuid;
    const uuids = [
      await make('Calculator', { type: 'calculator' }),
      await make('Hang up', ToolDefinition.parse({ type: 'end_call', config: { endCallReason: true } })),
    ];
    const nodes = ownList(noWebhook, 'nodes')
      .filter(isObject)
      .map((each) =>
        each['id'] === 'start' ? { ...each, data: { ...ownObject(each, 'data'), tool_uuids: uuids } } : each,
      );
    const session = await world.open({ ...noWebhook, nodes });
    await session.say('calculator', 1);
    await session.say('hang_up', 2);
    return session;
  },
  /** One QA node judges, one fails, one skips. */
  async judged(world) {
    const qa = (id: string, data: Record<string, unknown>) =>
      node(id, 'qa', { name: `Quality ${id}`, ...data });
    const base = threeStepDefinition();
    const session = await world.open({
      ...base,
      nodes: [
        ...ownList(base, 'nodes'),
        qa('good', { qa_min_call_duration: 0 }),
        qa('away', { qa_min_call_duration: 0, qa_system_prompt: 'break' }),
        qa('short', { qa_min_call_duration: 900 }),
      ],
    });
    await session.say('go_on', 1);
    await session.end(2);
    return session;
  },
  async 'continued-as-new'(world) {
    world.adjustInput((input) => ({ ...input, turnsPerRun: 2 }));
    const session = await world.open(noWebhook);
    await session.say('go_on', 1);
    await until('the fresh run', async () => (await runsOf(world, session)) === 2);
    await session.say('done', 2);
    return session;
  },
};

/** The number of Runs of the call, from Temporal's list. */
const runsOf = async (world: CallWorld, { callUuid }: OpenSession): Promise<number> => {
  const runs: string[] = [];
  for await (const { runId } of world.temporal.client.workflow.list({
    query: `WorkflowId = '${callWorkflowId(callUuid)}'`,
  }))
    runs.push(runId);
  return runs.length;
};

/** Calls with a scripted model. */
export async function openCalls(): Promise<Recording> {
  const llm = createScriptedLlm({
    before: ({ messages, responseFormat }, said) => {
      if (messages[0]?.content === 'break') return { fail: true };
      if (responseFormat?.name === 'judgment')
        return {
          text: JSON.stringify({
            call_quality_score: 8,
            overall_sentiment: 'neutral',
            summary: 'It went well.',
            tags: [],
          }),
        };
      if (messages.at(-1)?.role === 'tool') return { text: 'That is the result.' };
      return said.includes('break') ? { fail: true } : undefined;
    },
  });
  const world = await createCallWorld({ llm });
  await world.startWorker();
  return {
    temporal: world.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      world.adjustInput((input) => input);
      const session = await scenarios[name]?.(world);
      if (session === undefined) throw new Error(`no scenario ${name}`);
      await session.completed();
      return callWorkflowId(session.callUuid);
    },
    close: () => world.close(),
  };
}
