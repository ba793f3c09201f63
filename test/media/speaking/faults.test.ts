import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import { edge, node } from '../../support/definitions.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type SpeakingWorld,
} from '../../support/media/speaking-world.ts';

let world: SpeakingWorld;

beforeAll(async () => {
  world = await createSpeakingWorld();
});
afterAll(() => world.close());

const definition = {
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };
const asked = { pendingLines: [said('tell me')] };
const trouble = 'I am sorry, I have a technical problem at the moment.';

describe('a model that fails while the caller waits', () => {
  test.each([
    ['says nothing for too long', { stall: 'before_first_token' as const }],
    ['refuses with a server error', { fail: { status: 500 } }],
    ['answers with nothing', {}],
  ])(
    'and %s: the caller hears a filler, then an apology, and the Workflow gets the fault',
    async (_how, action) => {
      const call = await world.call({ definition, rules: [answering('tell me', action)] });
      const step = await call.step(answer, asked);
      await call.line.quiet(100);
      expect(call.line.heard()).toBe(`One moment, please. ${trouble}`);
      expect(step).toMatchObject({
        next: { kind: 'fault', stage: 'llm' },
        chosenEdge: null,
        lines: [{ text: 'One moment, please.' }, { text: trouble }],
      });
    },
  );

  // guarantee: failed-model-retried-once
  test('and answers at the second attempt costs the caller only a filler', async () => {
    const call = await world.call({
      definition,
      rules: [
        { name: 'once', when: { userText: 'tell me', nth: 1 }, answer: { fail: { status: 503 } } },
        answering('tell me', { say: 'Here I am.', call: { tool: 'done' } }),
      ],
    });
    const step = await call.step(answer, asked);
    await call.line.quiet(100);
    expect(call.line.heard()).toBe('One moment, please. Here I am.');
    expect(step).toMatchObject({ chosenEdge: 'e', next: { kind: 'spoken' } });
  });

  test('and breaks off in the middle of a sentence continues there: no word is said twice', async () => {
    const call = await world.call({
      definition,
      rules: [
        {
          name: 'rest',
          when: { systemText: 'Go on exactly where it stopped' },
          answer: { say: 'Then the rest.', call: { tool: 'done' } },
        },
        answering('tell me', { say: 'First this one. Then more and more of it all', breakOff: 'reset' }),
      ],
    });
    const step = await call.step(answer, asked);
    await call.line.quiet(100);
    expect(call.line.heard()).toBe('First this one. Then the rest.');
    expect(step).toMatchObject({
      chosenEdge: 'e',
      lines: [{ text: 'First this one. Then the rest.' }],
      next: { kind: 'spoken' },
    });
  });
});

describe('a voice that fails', () => {
  afterEach(() => world.voices.emulator.behaviors.set([]));

  const twoSentences = answering('tell me', {
    say: 'This is the first one. And this is the second.',
    call: { tool: 'done' },
  });

  // guarantee: failed-voice-replaced-mid-reply
  test('is replaced by the next one in the middle of a reply, and each sentence is heard once', async () => {
    world.voices.emulator.behaviors.set([
      { when: { service: 'google', textPattern: 'second' }, fault: 'server_error' },
    ]);
    const call = await world.call({ definition, rules: [twoSentences], voices: ['google', 'openai'] });
    const step = await call.step(answer, asked);
    await call.line.quiet(100);
    expect(call.line.heard()).toBe('This is the first one. And this is the second.');
    expect(step.lines.map(({ text }) => text)).toEqual(['This is the first one. And this is the second.']);
    expect(step.usage.tts).toEqual({
      'simulated|||google': expect.any(Number),
      'simulated|||openai': expect.any(Number),
    });
  });

  test('without another one lets the caller hear a clip, and the Workflow gets the fault', async () => {
    world.voices.emulator.behaviors.set([{ fault: 'quota' }]);
    const clips: CallVoice['clips'] = {
      ready: ({ text }) => (text === trouble ? encodeSpeech(text, 8000) : null),
      prime: async () => undefined,
    };
    const call = await world.call({ definition, rules: [twoSentences], clips });
    const step = await call.step(answer, asked);
    await call.line.quiet(100);
    expect(call.line.heard()).toBe(trouble);
    expect(step).toMatchObject({
      chosenEdge: null,
      next: { kind: 'fault', stage: 'tts' },
      lines: [{ text: trouble }],
    });
  });
});

test('a recognizer that gave up is reported as soon as the caller should answer', async () => {
  const call = await world.call({
    definition,
    rules: [answering('tell me', { say: 'I am listening.' })],
    sttFaults: [{ kind: 'refused', status: 401 }],
  });
  const step = await call.step(answer, asked);
  expect(step).toMatchObject({
    lines: [
      { text: 'I am listening.' },
      { text: 'I am sorry, I cannot hear you because of a technical problem.' },
    ],
    next: { kind: 'fault', stage: 'stt' },
  });
});
