import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreateToolRequest } from '../../src/contract/tools.ts';
import { updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { callSummaries } from '../../src/db/tables/call-summaries.ts';
import { ProviderError, type SpentTokens } from '../../src/domain/errors.ts';
import { costOf } from '../../src/domain/call/cost.ts';
import { mapNodes, ownObject, type Definition } from '../../src/domain/graph/definition.ts';
import type { LlmPort } from '../../src/providers/llm/port.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

/** All usage that the model's port reported. */
const reported: SpentTokens[] = [];
const failing = { now: false };

const script = createScriptedLlm({
  before: ({ messages, tools }, said) => {
    const last = messages.at(-1);
    if (messages[0]?.content.startsWith('Summarize')) return { text: 'SHORT' };
    if (last?.role === 'tool')
      return failing.now ? { text: 'I was about to', fail: true } : { text: 'Worked out.' };
    if (said === 'work it out')
      return { toolCalls: [{ name: 'calculator', arguments: { expression: '1+1' } }] };
    return said === 'say nothing' && last?.role === 'user' && tools.length > 0 ? {} : undefined;
  },
});
const llm: LlmPort = {
  simulated: script.simulated,
  provider: script.provider,
  async *stream(request, options) {
    try {
      for await (const event of script.stream(request, options)) {
        if (event.kind === 'end' && event.usage !== null) reported.push(event.usage);
        yield event;
      }
    } catch (error) {
      if (error instanceof ProviderError && error.spent !== null) reported.push(error.spent);
      throw error;
    }
  },
};
const key = 'simulated|||test-model';
const prices = { [key]: { prompt: 1.5, cachedPrompt: 0.5, completion: 6 } };

let world: CallWorld;
beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker({ deps: { prices } });
});
afterAll(async () => await world.close());

test('the usage of a call includes every request to the model: tools, repaired and broken answers, failed and discarded turns, extractions, summaries', async () => {
  const { ctx } = world;
  const {
    name,
    description,
    icon,
    icon_color: iconColor,
    definition,
  } = CreateToolRequest.parse({ name: 'Calculator', definition: { type: 'calculator' } });
  const { tool_uuid: toolUuid } = await createTool({
    ctx,
    input: { name, description, icon, iconColor, definition },
  });
  const graph: Definition = mapNodes(threeStepDefinition({ webhook: false }), (each) =>
    each['id'] === 'start' ? { ...each, data: { ...ownObject(each, 'data'), tool_uuids: [toolUuid] } } : each,
  );
  const agentId = await world.createAgent(graph);
  await updateRows(ctx.db.manager, agentVersions, {
    where: { agentId, organizationId: ctx.organizationId },
    change: { settings: { context_compaction_enabled: true } },
  });
  const opening = await createTextSession({
    ctx,
    deps: { calls: world.starter },
    input: { agentId, initialContext: {}, annotations: {} },
  });
  const session = await sessionOf({ ctx, starter: world.starter, agentId, opening });

  const first = await session.say('say nothing', 1);
  failing.now = true;
  await expect(session.say('work it out', 2)).rejects.toMatchObject({ code: 'provider' });
  failing.now = false;
  await session.say('work it out', 2);
  await session.say('one more line', 3);
  await session.say('go_on', 4);
  await until(
    'the summary',
    async () => (await ctx.db.getRepository(callSummaries).findBy({ callId: session.callId }))[0],
  );
  await session.rewind(first.session_data.turns[1]?.id ?? null, 5);
  await session.say('go_on', 6);
  await session.end(7);

  const { usage, costUsd } = await session.row();
  const sum = (of: (each: SpentTokens) => number) => reported.reduce((total, each) => total + of(each), 0);
  const used = {
    prompt_tokens: sum(({ promptTokens }) => promptTokens),
    completion_tokens: sum(({ completionTokens }) => completionTokens),
    total_tokens: sum(({ totalTokens }) => totalTokens),
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  expect(reported.length).toBeGreaterThan(10);
  expect(usage).toMatchObject({ llm: { [key]: used }, tts: {}, stt: {} });
  expect(costUsd).toBe(costOf({ [key]: used }, prices));
  expect(costUsd).toBeGreaterThan(0);
});
