import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import type { TextSession } from '../../src/contract/text-sessions.ts';
import { publishDraft, updateAgent } from '../../src/services/agents/index.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld } from '../support/call-world.ts';
import { edge, node, threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

const replies = ({ session_data: { turns } }: TextSession) =>
  turns.map(({ assistant_message: agent }) => agent?.text);

// guarantee: publishing-leaves-live-calls-alone
test('publishing never changes the prompts, edges, extractions and webhooks of a live call; the next call has the new ones', async () => {
  const { ctx, starter } = world;
  const live = await world.open(threeStepDefinition());
  const { agentId } = live;
  const definition = {
    nodes: [
      node('start', 'startCall', { name: 'New start', prompt: 'You are new.', greeting: 'New hello.' }),
      node('end', 'endCall', { name: 'New end', prompt: 'You end.' }),
    ],
    edges: [edge('n1', 'start', 'end', 'stop')],
  };
  await updateAgent({ ctx, input: { agentId, definition } });
  await publishDraft({ ctx, input: { agentId } });

  await live.say('hello', 1);
  await live.say('go_on', 2);
  const ended = await live.say('done', 3);
  expect(replies(ended)).toEqual([
    'Hello there.',
    'Reply at You are at the start.',
    'Reply at You ask for the day.',
    'Reply at You say goodbye.',
  ]);
  expect((await live.completed()).gathered_context).toMatchObject({ day: 'Monday' });
  const webhook = await until('its webhook', async () =>
    (await ctx.db.getRepository(deliveries).findBy({ callId: live.callId })).at(0),
  );
  expect(webhook.nodeId).toBe('hook');

  const next = await sessionOf({
    ctx,
    starter,
    agentId,
    opening: await createTextSession({
      ctx,
      deps: { calls: starter },
      input: { agentId, initialContext: {}, annotations: {} },
    }),
  });
  expect(replies(await next.say('stop', 1))).toEqual(['New hello.', 'Reply at You end.']);
});
