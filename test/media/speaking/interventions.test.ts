import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { edge, node } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';
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
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hi there.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const long = 'One two three four five six seven eight nine ten.';
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };
const asked = { pendingLines: [said('tell me')] };
const later = { turnIndex: 2, nodeId: 'start', entry: { kind: 'intervention' as const }, mayMove: false };
const line = (text: string) => ({ say: { kind: 'line' as const, text }, listens: text === '' });
const texts = ({ lines }: { lines: { text: string }[] }) => lines.map(({ text }) => text);

describe('a step that ends in favor of a supervisor', () => {
  test('tells what was heard of it, and the supervisor is heard at once', async () => {
    const call = await world.call({ definition, rules: [answering('tell me', { say: long })] });
    const spoken = call.step(answer, asked);
    await call.line.hears('One two');
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    const step = await spoken;
    expect(step).toMatchObject({ chosenEdge: null, next: { kind: 'intervened', wasSpeaking: true } });
    expect(long.startsWith(texts(step).join(' ')) && texts(step).join(' ').startsWith('One two')).toBe(true);
    await call.step(later, line('Please hold the line.'));
    await call.line.hears('Please hold the line.');
    expect(call.line.heard()).not.toContain('ten');
    await call.end();
  });

  test('was only listening, and so is the next one, which hears the caller', async () => {
    const call = await world.call({ definition });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    expect((await opening).next).toEqual({ kind: 'intervened', wasSpeaking: false });
    const listening = call.step({ ...later, turnIndex: 1 }, line(''));
    await call.line.quiet(300);
    await call.line.say('are you there');
    expect(await listening).toMatchObject({ lines: [], next: { kind: 'utterance', text: 'are you there' } });
    expect(call.line.heard()).toBe('Hi there.');
    await call.end();
  });

  test('lets a caller who speaks finish, and keeps their words', async () => {
    const call = await world.call({ definition });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    const saying = call.line.say('I want to order tea');
    await call.line.pause(600);
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    await saying;
    expect((await opening).next).toMatchObject({ kind: 'utterance', text: 'I want to order tea' });
    await call.end();
  });

  // guarantee: words-between-steps-kept
  test('is followed by another one after a while, and what the caller said meanwhile is not lost', async () => {
    const call = await world.call({ definition });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    await opening;
    await call.line.say('I have one more question');
    await call.line.pause(2500); // the end of the turn
    await call.step({ ...later, turnIndex: 1 }, line('Please hold the line.'));
    expect(await call.step(later, line(''))).toMatchObject({
      lines: [],
      next: { kind: 'utterance', text: 'I have one more question' },
    });
    await call.end();
  });

  test('is none of an older generation, or none at all', async () => {
    const call = await world.call({ definition });
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.conversations.yieldStep({ callId: call.callId, generation: 7 });
    await call.line.quiet(300);
    await call.line.say('hello again');
    expect((await opening).next).toMatchObject({ kind: 'utterance', text: 'hello again' });
    await call.end();
  });
});

describe("a supervisor's note", () => {
  const noteFor = (call: Awaited<ReturnType<SpeakingWorld['call']>>) =>
    call.asked().map(({ messages }) => messages.some(({ content }) => content.includes('Offer Friday')));

  // guarantee: note-reaches-next-answer
  test('is in the next question to the model, and an answer that was asked ahead without it is not heard', async () => {
    const call = await world.call({
      definition,
      rules: [
        {
          name: 'with the note',
          when: { systemText: 'Offer Friday' },
          answer: { say: 'Does Friday suit you?' },
        },
        answering('which day', { say: 'I do not know.' }),
      ],
    });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    await call.line.say('which day');
    expect((await opening).next).toMatchObject({ kind: 'utterance' });
    const notes = [{ visitIndex: 0, text: 'Offer Friday.' }];
    await call.conversations.takeNotes({ callId: call.callId, generation: 1 }, notes);
    const reply = call.step(answer, { pendingLines: [said('which day')], notes });
    await call.line.hears('Does Friday suit you?');
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    await reply;
    expect(noteFor(call).at(-1)).toBe(true);
    await call.end();
  });

  test('does not count after the conversation has left its node', async () => {
    const call = await world.call({ definition, rules: [answering('tell me', { say: 'Told.' })] });
    const notes = [{ visitIndex: 3, text: 'Offer Friday.' }];
    const reply = call.step({ ...answer, visitIndex: 4 }, { ...asked, notes });
    await call.line.hears('Told.');
    await call.conversations.yieldStep({ callId: call.callId, generation: 1 });
    await reply;
    expect(noteFor(call)).toEqual(noteFor(call).map(() => false));
    await call.end();
  });
});

describe("a supervisor's line whose host was lost", () => {
  const words = ['Alpha goes first.', 'Bravo comes second.', 'Charlie is third.'];
  const whole = words.join(' ');

  test('is said by the next host as far as it was not heard, and the model is not asked', async () => {
    const call = await world.call({ definition });
    call.step(later, line(whole)).catch(() => undefined);
    await call.line.hears(words[0] ?? '');
    await call.line.pause(250);
    await call.deps.journal.settled();
    const before = call.line.heard();
    await call.lose();
    const step = await call.step(later, {
      say: { kind: 'resume', line: whole },
      listens: false,
    });
    await call.line.quiet(100);
    const after = call.line.heard();
    for (const sentence of words)
      expect([sentence, `${before} ${after}`.split(sentence).length - 1]).toEqual([sentence, 1]);
    expect(step.next).toEqual({ kind: 'spoken' });
    expect(call.asked()).toEqual([]);
    await call.end();
  });

  // guarantee: supervisors-line-survives-host
  test('is said whole if nothing of it was made', async () => {
    const call = await world.call({ definition });
    await call.step(later, { say: { kind: 'resume', line: whole }, listens: false });
    await until('the line', () => Promise.resolve(call.line.heard().includes(whole)));
    expect(call.asked()).toEqual([]);
    await call.end();
  });

  test('had no words: the next host listens without a sound', async () => {
    const call = await world.call({ definition });
    const over = new AbortController();
    const listening = call
      .step(later, { say: { kind: 'resume', line: '' }, listens: true })
      .finally(() => over.abort());
    // What the caller says before the host has opened the call is not heard.
    while (!over.signal.aborted) {
      await call.line.say('still here');
      await call.line.pause(1500);
    }
    expect((await listening).next).toMatchObject({ kind: 'utterance', text: 'still here' });
    expect(call.line.heard()).toBe('');
    await call.end();
  });
});
