import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ToolDefinition } from '../../../src/contract/tools.ts';
import { columns } from '../../../src/db/rows.ts';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import type { GivenUpCall } from '../../../src/media/speaking/absence.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import { createClips } from '../../../src/providers/tts/clips.ts';
import { createTool } from '../../../src/services/agents/index.ts';
import { createTestContext } from '../../support/database.ts';
import { edge, node } from '../../support/definitions.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type CallOptions,
  type SpeakingWorld,
} from '../../support/media/speaking-world.ts';
import { until } from '../../support/until.ts';

let world: SpeakingWorld;
let clips: CallVoice['clips'];

beforeAll(async () => {
  world = await createSpeakingWorld();
  clips = createClips({ tts: world.voices.tts('google') });
});
afterAll(() => world.close());

const holdOn = 'One moment, please.';
const goodbye =
  'I am sorry, I have a technical problem and must end the call. We will get back to you. Goodbye.';
const definition = {
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hi there.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const opening = { nodeId: 'start', entry: { kind: 'opening' as const } };
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };

/** A call whose first step has ended with the caller's words, so that the next one is due. */
async function waiting(options: Partial<CallOptions>) {
  const call = await world.call({
    definition,
    clips,
    rules: [answering('tell me', { say: 'Here I am.' })],
    absenceTimes: { patienceMs: 200, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 60_000 },
    ...options,
  });
  const step = call.step(opening);
  await call.line.hears('Hi there.');
  await call.line.quiet(300);
  call.line.press('1');
  call.line.press('#');
  expect((await step).next.kind).toBe('keypad');
  return call;
}

// guarantee: caller-without-worker-hears-line
test('a caller whose next step no worker asks for hears a fixed line once, and then the reply of the worker that came back', async () => {
  const call = await waiting({ drivers: { waitingTask: () => Promise.resolve('task') } });
  await call.line.hears(holdOn);
  await call.line.quiet(1000);
  const reply = call.step(answer, { pendingLines: [said('tell me')] });
  await call.line.hears('Here I am.');
  call.line.hangUp();
  await reply;
  expect(call.line.heard()).toBe(`Hi there. ${holdOn} Here I am.`);
});

test('a caller also hears the line if Temporal cannot be asked about the call', async () => {
  const call = await waiting({ drivers: { waitingTask: () => Promise.reject(new Error('away')) } });
  await call.line.hears(holdOn);
  expect(call.line.heard()).toBe(`Hi there. ${holdOn}`);
});

test('a caller waits in silence while someone works on the call, for a single look that finds no one, and while slow workers take one task after the other', async () => {
  const looks = [null, 'one', null, 'one', 'two', 'three', 'four', null];
  let asked = 0;
  const call = await waiting({
    drivers: { waitingTask: () => Promise.resolve(looks[asked++ % looks.length] ?? null) },
  });
  await until('eight looks', () => Promise.resolve(asked >= looks.length));
  expect(call.line.heard()).toBe('Hi there.');
});

// guarantee: host-hangs-up-without-worker
test('after a minute without a worker, the host says goodbye in full and hangs up', async () => {
  const given: GivenUpCall[] = [];
  const heardThen: string[] = [];
  const call = await waiting({
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 2500 },
    drivers: {
      waitingTask: () => Promise.resolve('task'),
      giveUp(each) {
        heardThen.push(call.line.heard());
        given.push(each);
        if (given.length === 1) return Promise.reject(new Error('the carrier is away'));
        return call.line.hears(goodbye).then(() => call.line.hangUp());
      },
    },
  });
  await until('the second attempt', () => Promise.resolve(given.length > 1));
  // The last word may still be on its way, and its last character is decoded after a moment of silence.
  expect(heardThen[0]).toContain(`Hi there. ${holdOn} ${goodbye.slice(0, goodbye.lastIndexOf(' '))}`);
  expect(given[1]).toMatchObject({ callId: call.callId, generation: 1, isWeb: false });
  await new Promise((resolve) => setTimeout(resolve, 500)); // as long as five looks
  expect(given).toHaveLength(2);
});

test('after the last words of a call, a host without a worker hangs up without further words', async () => {
  const given: GivenUpCall[] = [];
  const call = await world.call({
    definition,
    clips,
    absenceTimes: { patienceMs: 100, lookAgainMs: 100 },
    drivers: {
      waitingTask: () => Promise.resolve('task'),
      giveUp(each) {
        given.push(each);
        call.line.hangUp();
        return Promise.resolve();
      },
    },
  });
  await call.step(
    { turnIndex: 3, nodeId: 'start', entry: { kind: 'closing' }, mayMove: false, mayUseTools: false },
    { say: { kind: 'goodbye', reason: 'duration' }, listens: false },
  );
  await until('the end', () => Promise.resolve(given.length > 0));
  expect(call.line.heard()).toBe('I am sorry, our time for this call is over. Thank you and goodbye.');
});

// guarantee: caller-without-first-step-hears-line
test('a caller whose first step no worker asks for hears the line, the greeting of the worker that comes, and after a minute without one the goodbye and the hang-up', async () => {
  const given: GivenUpCall[] = [];
  const call = await world.call({
    definition,
    clips,
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 2500 },
    drivers: {
      waitingTask: () => Promise.resolve('task'),
      giveUp(each) {
        given.push(each);
        call.line.hangUp();
        return Promise.resolve();
      },
    },
  });
  await call.line.hears(`${holdOn} ${goodbye.slice(0, -1)}`);
  await until('the hang-up', () => Promise.resolve(given.length > 0));
  expect(given).toMatchObject([{ callId: call.callId, generation: 1, isWeb: false }]);

  const served = await world.call({
    definition,
    clips,
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 60_000 },
    drivers: { waitingTask: () => Promise.resolve('task') },
  });
  await served.line.hears(holdOn);
  const step = served.step(opening);
  await served.line.hears('Hi there.');
  served.line.hangUp();
  await step;
  expect(served.line.heard()).toBe(`${holdOn} Hi there.`);
  expect(given).toHaveLength(1);
});

// guarantee: line-without-worker-said-to-its-end
test('a line that has begun is heard to its end before a transfer takes the call from the host, and no other begins', async () => {
  const call = await waiting({ drivers: { waitingTask: () => Promise.resolve('task') } });
  await call.line.hears('One mo');
  await call.conversations.finishSpeaking(
    { callId: call.callId, generation: 1 },
    AbortSignal.timeout(20_000),
  );
  // The last character is decoded after a moment of silence.
  expect(call.line.heard()).toContain(`Hi there. ${holdOn.slice(0, -1)}`);
  await call.line.quiet(600); // as long as the patience and two looks
  expect(call.line.heard()).toBe(`Hi there. ${holdOn}`);
});

test('a transfer does not wait for a host that says nothing, or that has another generation of the call', async () => {
  const call = await waiting({});
  for (const generation of [1, 2])
    await call.conversations.finishSpeaking({ callId: call.callId, generation }, AbortSignal.timeout(20_000));
  expect(call.line.heard()).toBe('Hi there.');
});

test('a line that has begun is heard to its end before the call moves to another host', async () => {
  const call = await waiting({ drivers: { waitingTask: () => Promise.resolve('task') } });
  await call.line.hears('One mo');
  call.conversations.move();
  const { next } = await call.step(answer, { pendingLines: [said('tell me')] });
  expect(next.kind).toBe('moving');
  expect(call.line.heard()).toContain(`Hi there. ${holdOn.slice(0, -1)}`);
});

test('after a tool that ends the call, a host without a worker says nothing more, and hangs up after a minute', async () => {
  const given: GivenUpCall[] = [];
  const call = await world.call({
    definition,
    clips,
    rules: [answering('no time', { say: 'As you like.', call: { tool: 'hang_up' } })],
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, limitMs: 2500 },
    drivers: {
      waitingTask: () => Promise.resolve('task'),
      giveUp(each) {
        given.push(each);
        call.line.hangUp();
        return Promise.resolve();
      },
    },
  });
  const ctx = { ...(await createTestContext(world.database.db)), organizationId: call.organizationId };
  const { tool_uuid } = await createTool({
    ctx,
    input: {
      name: 'Hang up',
      description: null,
      icon: 'globe',
      iconColor: '#3B82F6',
      definition: ToolDefinition.parse({ type: 'end_call', config: {} }),
    },
  });
  const withTool = {
    ...definition,
    nodes: definition.nodes.map((each) => ({ ...each, data: { ...each.data, tool_uuids: [tool_uuid] } })),
  };
  const { versionId } = call.input(opening);
  await world.database.db
    .getRepository(agentVersions)
    .update({ id: versionId }, columns({ definition: withTool }));
  const { toolCalls } = await call.step(answer, { pendingLines: [said('no time')] });
  expect(toolCalls).toMatchObject([{ name: 'hang_up' }]);
  await until('the end', () => Promise.resolve(given.length > 0));
  expect(call.line.heard()).toBe('As you like.');
});

test('an answering machine records no line of a host without a worker', async () => {
  const call = await world.call({
    definition,
    clips,
    settings: { voicemail_detection: { enabled: true } },
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 60_000 },
    drivers: { waitingTask: () => Promise.resolve('task') },
  });
  const first = call.step(opening);
  await call.line.say('Please leave a message after the tone');
  const { next } = await first;
  const last =
    next.kind === 'utterance' ? await call.step(answer, { pendingLines: [said(next.text)] }) : { next };
  expect(last.next.kind).toBe('voicemail');
  await call.line.quiet(1000); // longer than the patience and two looks
  expect(call.line.heard()).toBe('');
});

test('a caller also hears the line if the next step ended before it began', async () => {
  const call = await world.call({
    definition,
    clips,
    settings: { max_call_duration: 4 },
    absenceTimes: { patienceMs: 500, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 60_000 },
    drivers: { waitingTask: () => Promise.resolve('task') },
  });
  expect((await call.step(opening)).next.kind).toBe('time_up');
  expect((await call.step(answer, { pendingLines: [said('tell me')] })).next.kind).toBe('time_up');
  await call.line.hears(holdOn);
});
