import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { wastedUsage } from '../../../src/db/tables/wasted-usage.ts';
import type { LiveReply } from '../../../src/media/speaking/live-reply.ts';
import { ReplyAhead } from '../../../src/media/speaking/reply-ahead.ts';
import { Speculation } from '../../../src/media/speaking/speculation.ts';
import { edge, node } from '../../support/definitions.ts';
import { openingOf } from '../../support/media/foreseen.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type SpeakingWorld,
  type SpokenCall,
} from '../../support/media/speaking-world.ts';
import { until } from '../../support/until.ts';

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
      greeting: 'Hi there.',
      allow_interrupt: true,
    }),
    node('ask', 'agentNode', { name: 'Ask', prompt: 'You ask for the day.' }),
  ],
  edges: [edge('e', 'start', 'ask', 'done')],
};

const askedWith = (call: SpokenCall, text: string) =>
  call.asked().filter(({ messages }) => messages.at(-1)?.content === text);

describe('the model is asked before the Workflow asks for the step', () => {
  test("with exactly the caller's words, once, and nothing is heard before the step claims it", async () => {
    const call = await world.call({
      definition,
      rules: [answering('what is up', { say: 'All fine here.' })],
    });
    const text = await openingOf(call, 'what is up');
    await until('an answer that was sent whole', async () =>
      askedWith(call, text).some(({ sent }) => sent === 'complete'),
    );
    await call.line.quiet(500);
    expect(call.line.heard()).toBe('Hi there.');
    const step = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said(text)] },
    );
    await call.line.hears('All fine here.');
    expect(askedWith(call, text)).toHaveLength(1);
    call.line.hangUp();
    const { timings } = await step;
    expect(timings?.llmFirstTokenMs).toBeLessThan(timings?.claimedMs ?? 0);
  });

  // guarantee: speculative-answer-needs-same-step
  test('and its reply is discarded and recorded as waste when the Workflow asks for something else', async () => {
    const call = await world.call({
      definition,
      rules: [
        { name: 'elsewhere', when: { systemText: 'You ask for the day' }, answer: { say: 'Which day?' } },
        answering('what is up', { say: 'All fine here.' }),
      ],
    });
    const text = await openingOf(call, 'what is up');
    await until('an answer that was sent whole', async () =>
      askedWith(call, text).some(({ sent }) => sent === 'complete'),
    );
    const step = call.step(
      { turnIndex: 1, visitIndex: 1, nodeId: 'ask', entry: { kind: 'utterance' } },
      { pendingLines: [said(text)] },
    );
    await call.line.hears('Which day?');
    expect(call.line.heard()).not.toContain('All fine here.');
    await until(
      'a note of the waste',
      async () => (await world.database.db.getRepository(wastedUsage).countBy({ callId: call.callId })) > 0,
    );
    call.line.hangUp();
    await step;
  });

  test('even at the target of an edge, while the words before it are still playing', async () => {
    const call = await world.call({
      definition,
      rules: [
        { name: 'there', when: { systemText: 'You ask for the day' }, answer: { say: 'Which day?' } },
        answering('I am done', { say: 'Very well, then I go on.', call: { tool: 'done' } }),
      ],
    });
    const moving = call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' } },
      { pendingLines: [said('I am done')] },
    );
    await until('a question at the target', async () =>
      call.asked().some(({ messages }) => messages[0]?.content.includes('You ask for the day') === true),
    );
    expect(call.line.heard()).not.toContain('then I go on');
    const moved = await moving;
    expect(moved).toMatchObject({ chosenEdge: 'e', next: { kind: 'spoken' } });
    const step = call.step(
      { turnIndex: 1, visitIndex: 1, nodeId: 'ask', entry: { kind: 'edge', edgeId: 'e' }, mayMove: false },
      { pendingLines: [said('I am done'), ...moved.lines] },
    );
    await call.line.hears('Which day?');
    expect(
      call.asked().filter(({ messages }) => messages[0]?.content.includes('You ask for the day')),
    ).toHaveLength(1);
    call.line.hangUp();
    await step;
  });
});

describe('a reply that was asked ahead', () => {
  const step = {
    branch: 0,
    turnIndex: 1,
    visitIndex: 0,
    nodeId: 'start',
    entry: { kind: 'utterance' as const },
    mayMove: true,
    mayUseTools: true,
  };
  const asked = (text: string) => ({
    callId: 1,
    organizationId: 1,
    versionId: 1,
    generation: 1,
    step,
    pendingLines: [said(text)],
    say: { kind: 'reply' as const },
    listens: true,
  });
  const reply: LiveReply = {
    sentAtMs: 0,
    firstTokenAtMs: null,
    firstClauseAtMs: null,
    outcome: new Promise(() => undefined),
    listen: () => undefined,
    abort: () => undefined,
  };

  function foreseen(text: string) {
    const discarded: ReplyAhead[] = [];
    const ahead = new ReplyAhead(reply);
    const speculation = new Speculation({
      discard: (each) => discarded.push(each),
      claimed: () => undefined,
    });
    speculation.start({ step, pendingLines: [said(text)] }, ahead);
    return { speculation, discarded, ahead };
  }

  test('answers the final words of the turn if they are nearly the same', () => {
    const { speculation, discarded, ahead } = foreseen('what is up');
    expect(speculation.settle([said('What is up?')])).toBe(ahead);
    expect(speculation.claim(asked('What is up?'))).toEqual({ reply, voice: null });
    expect([speculation.claim(asked('What is up?')), discarded]).toEqual([null, []]);
  });

  test.each([
    ['other words', asked('something else')],
    ['another turn', { ...asked('what is up'), step: { ...step, turnIndex: 2 } }],
    ['another node', { ...asked('what is up'), step: { ...step, nodeId: 'other' } }],
    ['the results of tools', { ...asked('what is up'), toolRounds: [{ atLine: 1, calls: [] }] }],
    ['a goodbye', { ...asked('what is up'), say: { kind: 'goodbye' as const, reason: 'idle' as const } }],
  ])('does not answer %s', (_what, input) => {
    const { speculation, discarded, ahead } = foreseen('what is up');
    expect([speculation.claim(input), discarded]).toEqual([null, [ahead]]);
  });
});
