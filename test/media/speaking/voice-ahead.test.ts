import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import { journalEntries } from '../../../src/db/tables/journal-entries.ts';
import { wastedUsage } from '../../../src/db/tables/wasted-usage.ts';
import type { LiveReply } from '../../../src/media/speaking/live-reply.ts';
import { OpenVoice } from '../../../src/media/speaking/open-voice.ts';
import { ReplyAhead } from '../../../src/media/speaking/reply-ahead.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { edge, node } from '../../support/definitions.ts';
import { openingOf } from '../../support/media/foreseen.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type CallOptions,
  type SpeakingWorld,
  type SpokenCall,
} from '../../support/media/speaking-world.ts';
import { voices as ttsVoices } from '../../support/tts-emulator.ts';
import { until } from '../../support/until.ts';

let world: SpeakingWorld;

beforeAll(async () => {
  world = await createSpeakingWorld();
});
afterAll(() => world.close());
beforeEach(() => world.voices.emulator.log.clear());
afterEach(() => world.voices.emulator.behaviors.set([]));

const definition = {
  nodes: [
    node('start', 'startCall', {
      name: 'Start',
      prompt: 'You are at the start.',
      greeting: 'Hi there.',
      allow_interrupt: true,
    }),
    node('ask', 'agentNode', { name: 'Ask', prompt: 'You ask for the day.' }),
  ],
  edges: [
    {
      ...edge('e', 'start', 'ask', 'done'),
      data: { ...edge('e', 'start', 'ask', 'done').data, transition_speech: 'Now then, let us see.' },
    },
  ],
};
const fine = answering('what is up', { say: 'All fine here, thank you. And how are you?' });
const clauses = ['All fine here, ', 'thank you. ', 'And how are you?'];

/** Requests to voices for texts that begin with these words. */
const streamsOf = (words: string) =>
  world.voices.emulator.log.entries().filter(({ texts }) => texts[0]?.trim().startsWith(words));
const begun = async (words = 'All fine') =>
  await until(`a voice that says "${words}"`, async () => streamsOf(words)[0]);

/** A call up to the caller's words, with a voice that has begun to answer. */
async function foreseen(more: Partial<CallOptions> = {}): Promise<{ call: SpokenCall; text: string }> {
  const call = await world.call({
    definition,
    rules: [
      { name: 'there', when: { systemText: 'You ask for the day' }, answer: { say: 'Which day?' } },
      fine,
    ],
    ...more,
  });
  const text = await openingOf(call, 'what is up');
  await begun();
  return { call, text };
}

const answer = (call: SpokenCall, text: string) =>
  call.step({ turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } }, { pendingLines: [said(text)] });

describe('the voice is asked when the caller has finished, before the Workflow asks for the step', () => {
  // guarantee: speculative-audio-needs-same-step
  test('nothing is heard or journaled before the step, which uses the open stream', async () => {
    const { call, text } = await foreseen();
    const sinceMs = performance.now();
    await until('time in which it could be heard', async () => performance.now() > sinceMs + 400);
    await call.deps.journal.settled();
    expect(call.line.heard()).toBe('Hi there.');
    expect(
      await world.database.db.getRepository(journalEntries).countBy({ callId: call.callId, turnIndex: 1 }),
    ).toBe(0);
    const step = answer(call, text);
    await call.line.hears('And how are you?');
    expect(streamsOf('All fine').map(({ texts }) => texts)).toEqual([clauses]);
    call.line.hangUp();
    const { timings, usage } = await step;
    // The model is asked on a guess. The voice is not, because it bills characters.
    expect(timings?.llmSentMs).toBeLessThan(timings?.turnDecidedMs ?? 0);
    expect(timings?.ttsSentMs).toBeGreaterThanOrEqual(timings?.turnDecidedMs ?? Infinity);
    expect(timings?.firstClauseMs).toBeLessThanOrEqual(timings?.ttsSentMs ?? 0);
    expect(timings?.ttsFirstByteMs).toBeLessThan(timings?.claimedMs ?? 0);
    expect(timings?.firstFrameSentMs).toBeGreaterThan(timings?.claimedMs ?? Infinity);
    expect(usage.tts).toEqual({ 'simulated|||google': clauses.join('').length });
  });

  test('in the voice of that time', async () => {
    world.voices.emulator.behaviors.set([{ when: { service: 'google' }, fault: 'server_error' }]);
    const { call, text } = await foreseen({ voices: ['google', 'openai'] });
    expect(streamsOf('All fine').map(({ service }) => service)).toEqual(['openai']);
    const step = answer(call, text);
    await call.line.hears('And how are you?');
    expect(streamsOf('All fine')).toHaveLength(1);
    call.line.hangUp();
    await step;
  });

  test('but not for words that have a clip', async () => {
    const clips: CallVoice['clips'] = {
      ready: ({ text }) => (text === clauses[0] ? encodeSpeech(text, 8000) : null),
      prime: async () => undefined,
    };
    const call = await world.call({ definition, rules: [fine], clips });
    const text = await openingOf(call, 'what is up');
    const step = answer(call, text);
    await call.line.hears('All fine here, thank you.');
    expect(world.voices.emulator.log.entries().map(({ texts }) => texts)).toEqual([
      ['Hi there.'],
      clauses.slice(1),
    ]);
    call.line.hangUp();
    await step;
  });

  test("at an edge's target, the transition speech begins while the words before it still play", async () => {
    const done = answering('I am done', { say: 'Very well, then I go on.', call: { tool: 'done' } });
    const call = await world.call({
      definition,
      rules: [
        { name: 'there', when: { systemText: 'You ask for the day' }, answer: { say: 'Which day?' } },
        done,
      ],
    });
    const moving = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('I am done')] },
    );
    await begun('Now then,');
    expect(call.line.heard()).not.toContain('then I go on');
    const moved = await moving;
    const step = call.step(
      { turnIndex: 1, visitIndex: 1, nodeId: 'ask', entry: { kind: 'edge', edgeId: 'e' }, mayMove: false },
      { pendingLines: [said('I am done'), ...moved.lines] },
    );
    await call.line.hears('Which day?');
    expect(call.line.heard()).toContain('then I go on. Now then, let us see.');
    expect([...streamsOf('Now then,'), ...streamsOf('Which day')].map(({ texts }) => texts.join(''))).toEqual(
      ['Now then, let us see.Which day?'],
    );
    call.line.hangUp();
    await step;
  });
});

describe('a voice that was asked ahead', () => {
  /** A stream without a new clause ends after 2.5 s at the earliest. */
  const left = async () =>
    await until(
      'the end of its stream',
      async () => streamsOf('All fine').every(({ ended }) => ended !== 'open'),
      1500,
    );

  // guarantee: unclaimed-audio-counted-as-waste
  test('is aborted and recorded as waste, and never heard, when the Workflow asks for something else', async () => {
    const counted: unknown[] = [];
    const { call, text } = await foreseen({
      metrics: {
        ...noMetrics,
        count: (name, labels) => void (name === 'parlance_voices_ahead_total' && counted.push(labels)),
      },
    });
    const step = call.step(
      { turnIndex: 1, visitIndex: 1, nodeId: 'ask', entry: { kind: 'utterance' } },
      { pendingLines: [said(text)] },
    );
    await left();
    await call.line.hears('Which day?');
    expect(call.line.heard()).not.toContain('fine');
    expect(counted).toEqual([{ ahead: 'discarded' }]);
    const waste = await until(
      'a note of the waste',
      async () =>
        (await world.database.db.getRepository(wastedUsage).findOneBy({ callId: call.callId })) ?? undefined,
    );
    expect(waste.usage).toMatchObject({ tts: { 'simulated|||google': clauses[0]?.length } });
    call.line.hangUp();
    await step;
  });

  test('is aborted when the call ends before the step', async () => {
    const { call } = await foreseen();
    await call.end();
    expect(await left()).toBe(true);
  });

  test('is aborted when the step is over before it begins', async () => {
    const { call, text } = await foreseen();
    call.conversations.move();
    expect(await answer(call, text)).toMatchObject({ next: { kind: 'moving' }, lines: [] });
    await left();
    expect(call.line.heard()).toBe('Hi there.');
  });

  test('is aborted when the leg ends while the step waits for its first sound', async () => {
    world.voices.emulator.behaviors.set([{ when: { textPattern: 'All fine' }, firstByteDelayMs: 60_000 }]);
    const { call, text } = await foreseen();
    const step = answer(call, text);
    await call.line.quiet(300);
    call.line.hangUp();
    expect(await step).toMatchObject({ next: { kind: 'gone' }, lines: [] });
    await left();
  });

  test('can be interrupted like any other: the unheard rest is not in the transcript', async () => {
    const { call, text } = await foreseen();
    const step = answer(call, text);
    await call.line.hears('All fine');
    await call.line.say('wait a moment please');
    const { lines, wasInterrupted, next } = await step;
    expect({ wasInterrupted, next }).toMatchObject({
      wasInterrupted: true,
      next: { kind: 'utterance', text: 'wait a moment please' },
    });
    const line = lines.map((each) => each.text).join(' ');
    expect(clauses.join('').startsWith(line) && !line.includes('how') ? 'the beginning' : line).toBe(
      'the beginning',
    );
    expect(call.line.heard()).not.toContain('how are you');
    await call.end();
  });

  // guarantee: failed-early-audio-requested-again
  test.each([
    { when: 'before', firstByteDelayMs: 0 },
    { when: 'after', firstByteDelayMs: 500 },
  ])(
    'and fails $when the step claims it is asked again by the step, without the caller noticing',
    async ({ when, firstByteDelayMs }) => {
      world.voices.emulator.behaviors.set([
        { when: { textPattern: 'All fine' }, times: 1, fault: 'server_error', firstByteDelayMs },
      ]);
      const { call, text } = await foreseen();
      if (when === 'before')
        await until('its failure', async () => streamsOf('All fine')[0]?.ended === 'refused');
      const step = answer(call, text);
      await call.line.hears('All fine here, thank you. And how are you?');
      expect(streamsOf('All fine').map(({ ended }) => ended)).toEqual(['refused', expect.any(String)]);
      expect(call.line.shown.filter(({ type }) => type === 'rtf-pipeline-error')).toEqual([]);
      call.line.hangUp();
      const { usage } = await step;
      expect(usage.tts['simulated|||google']).toBeGreaterThan(clauses.join('').length);
    },
  );

  test('and fails while it speaks is replaced by the next voice, and each sentence is heard once', async () => {
    world.voices.emulator.behaviors.set([
      { when: { service: 'google', textPattern: 'how are' }, fault: 'server_error' },
    ]);
    const { call, text } = await foreseen({ voices: ['google', 'openai'] });
    const step = answer(call, text);
    await call.line.hears('And how are you?');
    expect(call.line.heard()).toBe('Hi there. All fine here, thank you. And how are you?');
    call.line.hangUp();
    await step;
  });

  test('begins with the first clause only, and not after the claim', () => {
    const listeners: ((clause: string) => void)[] = [];
    const reply: LiveReply = {
      sentAtMs: 0,
      firstTokenAtMs: null,
      firstClauseAtMs: null,
      outcome: new Promise(() => undefined),
      listen: (onClause) => void listeners.push(onClause),
      abort: () => undefined,
    };
    const openedBy = (clauses: readonly string[], claims: boolean) => {
      const opened: string[] = [];
      const ahead = new ReplyAhead(reply);
      ahead.sound((clause) => {
        opened.push(clause);
        return null;
      });
      if (claims) ahead.claim();
      clauses.forEach((clause) => listeners.at(-1)?.(clause));
      return opened;
    };
    expect([openedBy(clauses, false), openedBy(clauses, true)]).toEqual([clauses.slice(0, 1), []]);
  });

  test('is used for exactly its words in its voice, unless it has failed', async () => {
    const voice: CallVoice = {
      tts: world.voices.tts('google'),
      voice: ttsVoices.google,
      service: 'simulated|||google',
      clips: { ready: () => null, prime: async () => undefined },
    };
    const open = () =>
      new OpenVoice({ voice, clause: 'Hello there.', sampleRate: 8000, nowMs: () => performance.now() });
    const well = open();
    expect([
      well.says(voice, 'Hello there.'),
      well.says(voice, 'Hello.'),
      well.says({ ...voice }, 'Hello there.'),
    ]).toEqual([true, false, false]);
    well.abort();
    world.voices.emulator.behaviors.set([{ fault: 'quota' }]);
    const failing = open();
    await until('its failure', async () => !failing.says(voice, 'Hello there.'));
    failing.abort();
  });
});
