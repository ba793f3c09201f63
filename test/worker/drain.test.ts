import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { FakeLlm, type FakeReply } from '../support/fake-llm.ts';
import { createGate } from '../support/scripted-llm.ts';

/** The first answer hangs; later ones come at once. */
let first: () => FakeReply | Promise<FakeReply>;
let asked: number;
let world: CallWorld;

beforeEach(async () => {
  asked = 0;
  const llm = new FakeLlm(async () => {
    asked += 1;
    return asked === 1 ? await first() : { text: 'Here I am.' };
  });
  world = await createCallWorld({ llm });
});

afterEach(async () => {
  await world.close();
});

const graceMs = 300;

test('a hanging reply is aborted when the grace time of its worker is over, and another worker makes it: the caller is answered', async () => {
  const reached = Promise.withResolvers<void>();
  first = () => {
    reached.resolve();
    return { text: 'One moment', stall: true };
  };
  const hanging = await world.startWorker({ shutdownGraceMs: graceMs });
  const session = await world.open(threeStepDefinition({ webhook: false }));
  const saying = session.say('hello', 1);
  await reached.promise;
  const stopped = hanging.stop();
  await world.startWorker();
  await stopped;
  expect(await saying).toMatchObject({
    revision: 2,
    session_data: {
      turns: [{}, { user_message: { text: 'hello' }, assistant_message: { text: 'Here I am.' } }],
    },
  });
  expect(asked).toBe(2);
});

test('another worker answers the caller although the hanging reply ignores the abort', async () => {
  const gate = createGate();
  first = async () => {
    await gate.wait();
    return { text: 'Too late.' };
  };
  const hanging = await world.startWorker({ shutdownGraceMs: graceMs });
  const session = await world.open(threeStepDefinition({ webhook: false }));
  const saying = session.say('hello', 1);
  await gate.reached;
  const stopped = hanging.stop();
  await world.startWorker();
  expect((await saying).session_data.turns[1]?.assistant_message?.text).toBe('Here I am.');
  gate.open();
  await stopped;
  expect((await session.read()).session_data.turns).toHaveLength(2);
});
