import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GivenUpCall } from '../../../src/media/speaking/absence.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import { createClips } from '../../../src/providers/tts/clips.ts';
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

test('a caller whose next step no worker asks for hears a fixed line once, and then the reply of the worker that came back', async () => {
  const call = await waiting({ drivers: { isServed: () => Promise.resolve(false) } });
  await call.line.hears(holdOn);
  await call.line.quiet(1000);
  const reply = call.step(answer, { pendingLines: [said('tell me')] });
  await call.line.hears('Here I am.');
  call.line.hangUp();
  await reply;
  expect(call.line.heard()).toBe(`Hi there. ${holdOn} Here I am.`);
});

test('a call that Temporal cannot be asked about is kept company, too', async () => {
  const call = await waiting({ drivers: { isServed: () => Promise.reject(new Error('away')) } });
  await call.line.hears(holdOn);
  expect(call.line.heard()).toBe(`Hi there. ${holdOn}`);
});

test('a caller waits in silence while someone works on the call, and for a single look that finds no one', async () => {
  const looks = [true, false, true, false];
  let asked = 0;
  const call = await waiting({
    drivers: { isServed: () => Promise.resolve(looks[asked++ % looks.length] ?? true) },
  });
  await until('eight looks', () => Promise.resolve(asked >= 8));
  expect(call.line.heard()).toBe('Hi there.');
});

test('after a minute without a worker, the host says goodbye in full and hangs up', async () => {
  const given: GivenUpCall[] = [];
  const heardThen: string[] = [];
  const call = await waiting({
    absenceTimes: { patienceMs: 100, lookAgainMs: 100, lineAgainMs: 60_000, limitMs: 2500 },
    drivers: {
      isServed: () => Promise.resolve(false),
      giveUp(each) {
        heardThen.push(call.line.heard());
        given.push(each);
        if (given.length === 1) return Promise.reject(new Error('the carrier is away'));
        call.line.hangUp();
        return Promise.resolve();
      },
    },
  });
  await until('the second attempt', () => Promise.resolve(given.length > 1), 20_000);
  // The last character is decoded after a moment of silence.
  expect(heardThen[0]).toContain(`Hi there. ${holdOn} ${goodbye.slice(0, -1)}`);
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
      isServed: () => Promise.resolve(false),
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
