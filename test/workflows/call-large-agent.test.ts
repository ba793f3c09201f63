import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { maxPlanBytes } from '../../src/domain/graph/compile.ts';
import { createAgent, publishDraft, updateAgent, validateAgent } from '../../src/services/agents/index.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld } from '../support/call-world.ts';
import { largeDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';

const llm = createScriptedLlm();
let world: CallWorld;
beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
});
afterAll(async () => await world.close());

test('an agent of 500 nodes is created, validated, published, and talks at nodes deep in its graph', async () => {
  const { ctx } = world;
  const { id: agentId } = await createAgent({
    ctx,
    input: { name: 'Large', definition: largeDefinition(500) },
  });
  await updateAgent({ ctx, input: { agentId, definition: largeDefinition(501) } });
  expect(await validateAgent({ ctx, input: { agentId } })).toMatchObject({ is_valid: true });
  await publishDraft({ ctx, input: { agentId } });
  const opening = await createTextSession({
    ctx,
    deps: { calls: world.starter },
    input: { agentId, initialContext: {}, annotations: {} },
  });
  const session = await sessionOf({ ctx, starter: world.starter, agentId, opening });

  const { session_data: data, checkpoint } = await session.say('far_ahead', 1);
  expect(checkpoint.current_node_id).toBe('n250');
  expect(data.turns[1]?.assistant_message?.text).toMatch(/^Reply at You are at step 250\./);
  expect(llm.requests.at(-1)?.tools.map(({ name }) => name)).toEqual([
    'next_step',
    'skip_a_step',
    'finish_here',
  ]);
  await session.say('finish_here', 2);
  expect(await session.completed()).toMatchObject({
    gathered_context: {
      nodes_visited: ['Start', 'Step number 250', 'End'],
      call_disposition: 'user_qualified',
    },
  });

  const { events } = await world.temporal.client.workflow
    .getHandle(`call/${session.callUuid}`)
    .fetchHistory();
  const started =
    events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data?.length ?? 0;
  expect(started).toBeGreaterThan(30_000);
  expect(started).toBeLessThan(maxPlanBytes + 4096);
});
