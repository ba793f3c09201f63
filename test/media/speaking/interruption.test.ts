import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { edge, node } from '../../support/definitions.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type SpeakingWorld,
} from '../../support/media/speaking-world.ts';
import { until } from '../../support/until.ts';

let world: SpeakingWorld;

beforeAll(async () => {
  world = await createSpeakingWorld();
});
afterAll(() => world.close());

const definition = {
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', allow_interrupt: true }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};

const reply = 'One two three four. Five six seven eight. Nine ten.';
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const words = wordsOf(reply);

/** Interrupts the agent when the caller has heard this many words. */
async function cutOffAfter(count: number) {
  const call = await world.call({
    definition,
    rules: [answering('tell me', { say: reply, call: { tool: 'done' } })],
  });
  const spoken = call.step(
    { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
    { pendingLines: [said('tell me')] },
  );
  await until('the word', async () => call.line.heard().includes(words.slice(0, count).join(' ')));
  await call.line.say('wait a moment please');
  const step = await spoken;
  const result = { step, heard: call.line.heard(), line: step.lines.map(({ text }) => text).join(' ') };
  await call.end();
  return result;
}

describe('a caller who interrupts the agent', () => {
  // guarantee: interrupted-reply-keeps-heard-words
  test('is heard at every word of the reply, and the unheard rest is not in the transcript', async () => {
    // Half of them at a time: a machine that is too busy to send in time tears words.
    const counts = words.slice(0, -2).map((_, index) => index + 1);
    const cuts = await Promise.all(counts.slice(0, 4).map(cutOffAfter));
    cuts.push(...(await Promise.all(counts.slice(4).map(cutOffAfter))));
    for (const { step, heard, line } of cuts) {
      expect(step).toMatchObject({
        chosenEdge: null,
        wasInterrupted: true,
        // On a busy machine a pause may end the utterance before its last word.
        next: { kind: 'utterance', text: expect.stringMatching(/^wait\b/) },
      });
      expect(step).not.toHaveProperty('toolCalls');
      expect(reply.startsWith(line) ? 'the beginning of the reply' : line).toBe('the beginning of the reply');
      expect(heard.startsWith(line) ? 'the beginning of what was heard' : { line, heard }).toBe(
        'the beginning of what was heard',
      );
      // At most the word that was being said is left out, and one more: of a first word, no line is left.
      expect(wordsOf(heard).length - wordsOf(line).length).toBeLessThanOrEqual(2);
      for (const last of step.lines.slice(-1)) expect(last).toMatchObject({ wasInterrupted: true });
    }
  });

  test('by typing is heard at once, and the unheard rest is not in the transcript', async () => {
    const call = await world.call({
      definition,
      settings: { turn_start_strategy: 'min_words', turn_start_min_words: 5 },
      rules: [answering('tell me', { say: reply, call: { tool: 'done' } })],
    });
    const spoken = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('tell me')] },
    );
    await call.line.hears('One two three');
    call.line.type('yes');
    const step = await spoken;
    expect(step).toMatchObject({
      chosenEdge: null,
      wasInterrupted: true,
      next: { kind: 'utterance', text: 'yes' },
    });
    expect(step.lines.map(({ text }) => text).join(' ')).not.toContain('ten.');
    expect(call.line.shown).toContainEqual(
      expect.objectContaining({
        type: 'rtf-user-transcription',
        payload: expect.objectContaining({ text: 'yes', final: true }),
      }),
    );
    await call.end();
  });

  test('by typing while the agent thinks gets one answer, to the later words', async () => {
    const call = await world.call({
      definition,
      rules: [
        answering('never mind', { say: 'As you like.' }),
        answering('tell me', { say: reply, firstTokenDelayMs: 3000 }),
      ],
    });
    const thinking = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('tell me')] },
    );
    await until('the model is asked', async () => call.asked().length > 0);
    call.line.type('never mind');
    expect(await thinking).toMatchObject({ lines: [], next: { kind: 'utterance', text: 'never mind' } });
    const answered = call.step(
      { turnIndex: 2, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('never mind')] },
    );
    await call.line.hears('As you like.');
    call.line.type('bye');
    expect(await answered).toMatchObject({
      lines: [{ text: 'As you like.' }],
      next: { kind: 'utterance', text: 'bye' },
    });
    expect(call.line.heard()).toBe('As you like.');
    await call.end();
  });

  // guarantee: cough-resumes-reply
  test("by a cough hears the rest: no word is lost, and the model's decision stands", async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: reply, call: { tool: 'done' } })],
    });
    const spoken = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('tell me')] },
    );
    await call.line.hears('One two');
    await call.line.cough(400);
    await call.line.quiet(500);
    expect(call.line.heard()).not.toContain('Nine');
    await call.line.hears('Nine ten.');
    const step = await spoken;
    expect(step).toMatchObject({ chosenEdge: 'e', wasInterrupted: false, next: { kind: 'spoken' } });
    expect(step.lines.at(-1)?.text.endsWith('Five six seven eight. Nine ten.')).toBe(true);
    expect(call.asked().filter(({ messages }) => messages.at(-1)?.content === 'tell me')).toHaveLength(1);
  });

  // guarantee: speech-before-first-reply-heard
  test('before its first sound is heard, and so is the next reply', async () => {
    const call = await world.call({
      definition,
      rules: [
        answering('wait a moment please', { say: 'As you like.' }),
        answering('tell me', { say: reply, firstTokenDelayMs: 5000 }),
      ],
    });
    const spoken = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('tell me')] },
    );
    await until('the question', () => Promise.resolve(call.asked().length > 0));
    await call.line.say('wait a moment please');
    expect(await spoken).toMatchObject({
      lines: [],
      wasInterrupted: true,
      next: { kind: 'utterance', text: 'wait a moment please' },
    });
    const next = call.step(
      { turnIndex: 2, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('wait a moment please')] },
    );
    await call.line.hears('As you like.');
    call.line.hangUp();
    await next;
  });

  // guarantee: late-words-answered-as-one-utterance
  test('before its first sound with the last words of their sentence gets an answer to the whole sentence', async () => {
    const call = await world.call({
      definition,
      rules: [
        answering('a person please', { say: 'One second.' }),
        answering('a person', { say: reply, firstTokenDelayMs: 5000 }),
        answering('please', { say: 'Pardon?' }),
      ],
    });
    const spoken = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('a person')] },
    );
    await until('the question', () => Promise.resolve(call.asked().length > 0));
    await call.line.say('please');
    expect(await spoken).toMatchObject({ lines: [], next: { kind: 'utterance', text: 'please' } });
    const next = call.step(
      { turnIndex: 2, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('please')] },
    );
    await call.line.hears('One second.');
    call.line.hangUp();
    await next;
    expect(call.line.heard()).toBe('One second.');
  });
});
