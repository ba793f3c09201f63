import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hello there.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const sentences = ['Alpha goes first.', 'Bravo comes second.', 'Charlie is third.', 'Delta ends it.'];
const reply = sentences.join(' ');
const recovery = 'Sorry, the line was gone for a moment.';
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };

const times = (text: string, part: string): number => text.split(part).length - 1;

/** The host dies `afterMs` after the caller has heard this many sentences of a reply. */
async function loseAfter(count: number, afterMs: number) {
  const call = await world.call({
    definition,
    rules: [answering('tell me', { say: reply, call: { tool: 'done' } })],
  });
  const lost = call.step(answer, { pendingLines: [said('tell me')] });
  lost.catch(() => undefined);
  if (count > 0) await call.line.hears(sentences.slice(0, count).join(' '));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await call.deps.journal.settled(); // its lag is not tested here
  const before = call.line.heard();
  await call.lose();
  const step = await call.step(answer, { pendingLines: [said('tell me')], say: { kind: 'resume' } });
  await call.line.quiet(100);
  const result = {
    before,
    after: call.line.heard(),
    step,
    asked: call.asked().filter(({ messages }) => messages.at(-1)?.role !== 'assistant').length,
  };
  await call.end();
  return result;
}

describe('after the loss of a host', () => {
  // guarantee: heard-sentences-not-repeated
  test('at the end of any sentence, only unheard words are said again, and the decision stands', async () => {
    const losses = await Promise.all([1, 2, 3].map((count) => loseAfter(count, 250)));
    for (const { before, after, step } of losses) {
      for (const sentence of sentences) {
        const heardBefore = times(before, sentence);
        expect({ sentence, before, after, times: heardBefore + times(after, sentence) }).toEqual({
          sentence,
          before,
          after,
          times: 1,
        });
      }
      expect(after.startsWith(recovery) ? 'recovery' : after).toBe('recovery');
      expect(step).toMatchObject({ chosenEdge: 'e', next: { kind: 'spoken' } });
      expect(
        step.lines
          .map(({ text }) => text)
          .join(' ')
          .replace(` ${recovery}`, ''),
      ).toBe(reply);
    }
  });

  test('after a complete reply, the caller is asked to repeat their answer', async () => {
    const call = await world.call({ definition, rules: [answering('tell me', { say: 'Just this.' })] });
    call.step(answer, { pendingLines: [said('tell me')] }).catch(() => undefined);
    await call.line.hears('Just this.');
    await call.line.quiet(400);
    await call.lose();
    const resumed = call.step(answer, { pendingLines: [said('tell me')], say: { kind: 'resume' } });
    await call.line.hears('Could you please say that again?');
    await call.line.quiet(300);
    await call.line.say('yes sure');
    const step = await resumed;
    expect(call.line.heard()).not.toContain('Just this.');
    expect(step.lines.map(({ text }) => text)).toEqual([
      'Just this.',
      'Sorry, the line was gone for a moment. Could you please say that again?',
    ]);
    expect(step.next).toMatchObject({ kind: 'utterance', text: 'yes sure' });
  });

  test('an incomplete reply is continued after the words that were made', async () => {
    const call = await world.call({
      definition,
      rules: [
        {
          name: 'rest',
          when: { systemText: 'Go on exactly where it stopped' },
          answer: { say: 'And the rest.' },
        },
        answering('tell me', { say: 'First this. Then more and more of it all', stall: 'mid_stream' }),
      ],
    });
    call.step(answer, { pendingLines: [said('tell me')] }).catch(() => undefined);
    await call.line.hears('First this.');
    await new Promise((resolve) => setTimeout(resolve, 250));
    await call.deps.journal.settled();
    await call.lose();
    const resumed = call.step(answer, { pendingLines: [said('tell me')], say: { kind: 'resume' } });
    await call.line.hears('And the rest.');
    expect(call.line.heard()).toBe(`${recovery} And the rest.`);
    const asked = call
      .asked()
      .find(({ messages }) => messages.some(({ content }) => content.includes('Go on exactly')));
    expect(asked?.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([
      'First this.',
    ]);
    call.line.hangUp();
    expect((await resumed).lines.map(({ text }) => text)).toEqual(['First this.', recovery, 'And the rest.']);
  });

  // guarantee: journaled-utterance-ends-step
  test('journaled words of the caller end the step at once', async () => {
    const call = await world.call({ definition, rules: [answering('tell me', { say: 'Just this.' })] });
    const first = call.step(answer, { pendingLines: [said('tell me')] });
    await call.line.hears('Just this.');
    await call.line.quiet(300);
    await call.line.say('got it');
    await first;
    await call.deps.journal.settled();
    await call.lose();
    const step = await call.step(answer, { pendingLines: [said('tell me')], say: { kind: 'resume' } });
    expect(step).toMatchObject({
      lines: [{ text: 'Just this.' }],
      next: { kind: 'utterance', text: 'got it' },
    });
    expect(call.line.heard()).toBe('');
  });

  test('an unheard opening begins as if for the first time', async () => {
    const call = await world.call({ definition });
    await call.lose();
    const resumed = call.step({ nodeId: 'start', entry: { kind: 'opening' } }, { say: { kind: 'resume' } });
    await call.line.hears('Hello there.');
    expect(call.line.heard()).toBe('Hello there.');
    call.line.hangUp();
    expect((await resumed).next).toEqual({ kind: 'gone' });
  });
});
