import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
    node('start', 'startCall', {
      name: 'Start',
      prompt: 'You are at the start.',
      greeting: 'Hi {{name}}, how are you?',
      allow_interrupt: true,
    }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};

test("the greeting is heard word for word, and the caller's answer is understood", async () => {
  const call = await world.call({ definition, initialContext: { name: 'Ada' } });
  const spoken = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
  await call.line.hears('Hi Ada, how are you?');
  await call.line.quiet(300);
  await call.line.say('I am fine');
  const step = await spoken;
  expect(step.lines).toEqual([
    {
      speaker: 'assistant',
      text: 'Hi Ada, how are you?',
      at: expect.any(String),
      nodeId: 'start',
      kind: 'greeting',
    },
  ]);
  expect(step.next).toEqual({
    kind: 'utterance',
    text: 'I am fine',
    startedAt: expect.any(String),
    endedAt: expect.any(String),
  });
  expect(step.wasInterrupted).toBe(false);
});

test("the model's words are heard clause by clause, and its edge is returned", async () => {
  const call = await world.call({
    definition,
    initialContext: { name: 'Ada' },
    rules: [
      answering('fine thanks', { say: 'Good to hear. What can I do?' }),
      answering('no I am done', { say: 'Sure.', call: { tool: 'done' } }),
    ],
  });
  const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
  await call.line.hears('how are you?');
  await call.line.quiet(300);
  await call.line.say('fine thanks');
  const { next } = await opening;
  if (next.kind !== 'utterance') throw new Error(next.kind);
  const first = call.step(
    { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
    { pendingLines: [said(next.text)] },
  );
  await call.line.hears('Good to hear. What can I do?');
  await call.line.quiet(300);
  await call.line.say('no I am done');
  const answered = await first;
  expect(answered.lines.map(({ text }) => text)).toEqual(['Good to hear. What can I do?']);
  expect(answered.next).toMatchObject({ kind: 'utterance', text: 'no I am done' });
  const last = await call.step(
    { turnIndex: 2, nodeId: 'start', entry: { kind: 'utterance' } },
    { pendingLines: [said('no I am done')] },
  );
  expect(last).toMatchObject({ chosenEdge: 'e', next: { kind: 'spoken' } });
  await call.line.hears('Sure.');
  const messages =
    call
      .asked()
      .findLast(({ messages: asked }) => asked.at(-1)?.role === 'user')
      ?.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
  expect(messages.slice(1)).toEqual([
    'assistant: Hi Ada, how are you?',
    'user: fine thanks',
    'assistant: Good to hear. What can I do?',
    'user: no I am done',
  ]);
});
