import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { turns } from '../../src/db/tables/turns.ts';
import type { Intervention } from '../../src/domain/call/intervention.ts';
import type { SpeakStepInput } from '../../src/domain/call/voice.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../support/voice-world.ts';

const graph = threeStepDefinition({ webhook: false, extraction: false });
const second = 'ask';

/** What the agent is to say in a step, and where. */
const told = ({ say, listens, step }: SpeakStepInput) => [
  step.nodeId,
  say.kind === 'line' ? say.text : say.kind,
  ...(listens ? ['listens'] : []),
];

describe('a supervisor', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
  });
  beforeEach(async () => {
    host = await world.startHost(listening);
  });
  afterEach(async () => await host.stop());
  afterAll(async () => await world.close());

  /** The agent says what it is told, and waits for the caller, who says nothing. */
  const listening: Script = ({ listens }) => (listens ? new Promise(() => undefined) : {});

  async function talking(): Promise<VoiceCall> {
    const call = await world.prepare(graph);
    await world.starter.startPhoneCall(call.input);
    await call.carrierReports({ kind: 'answered' });
    await call.carrierReports({ kind: 'stream_started', generation: 1 });
    await steps(1);
    return call;
  }

  const ask = ({ callUuid }: VoiceCall, intervention: Intervention, updateId: string = randomUUID()) =>
    world.starter.intervene({ callUuid, intervention, updateId });

  const steps = (count: number, at = host) =>
    until(`${count} steps`, () => Promise.resolve(at.steps.length >= count));

  async function hungUp(call: VoiceCall): Promise<void> {
    await ask(call, { kind: 'hang_up', politely: false });
    await call.ended();
  }

  // guarantee: supervisors-line-is-said
  test('breaks the agent off with a line, after which it listens', async () => {
    const call = await talking();
    await ask(call, { kind: 'say', text: 'One moment.' });
    await steps(3);
    await hungUp(call);
    expect(host.steps.map(told)).toEqual([
      ['start', 'reply', 'listens'],
      ['start', 'One moment.'],
      ['start', '', 'listens'],
    ]);
  });

  test('has lines said one after the other', async () => {
    const call = await talking();
    await Promise.all([
      ask(call, { kind: 'say', text: 'First.' }),
      ask(call, { kind: 'say', text: 'Second.' }),
    ]);
    await steps(4);
    await hungUp(call);
    const lines = host.steps.map(({ say }) => (say.kind === 'line' ? say.text : ''));
    expect(lines.filter((text) => text !== '').toSorted()).toEqual(['First.', 'Second.']);
  });

  // guarantee: repeated-intervention-acts-once
  test('who repeats a request is obeyed once', async () => {
    const call = await talking();
    const id = randomUUID();
    await ask(call, { kind: 'say', text: 'Once.' }, id);
    await steps(3);
    await ask(call, { kind: 'say', text: 'Once.' }, id);
    await ask(call, { kind: 'goto', nodeId: second });
    await steps(4);
    await hungUp(call);
    expect(host.steps.filter(({ say }) => say.kind === 'line' && say.text === 'Once.')).toHaveLength(1);
  });

  // guarantee: words-before-intervention-kept
  test.each<[string, Intervention]>([
    ['a line', { kind: 'say', text: 'One moment.' }],
    ['a move', { kind: 'goto', nodeId: second }],
    ['a hang-up', { kind: 'hang_up', politely: false }],
  ])('does not lose with %s what the caller was saying', async (_what, intervention) => {
    const call = await talking();
    host.yieldsWith = says('I was just saying');
    await ask(call, intervention);
    await until('the step was ended', () => Promise.resolve(host.yielded.length > 0));
    host.yieldsWith = { lines: [], next: { kind: 'intervened', wasSpeaking: false } };
    if (intervention.kind !== 'hang_up') await hungUp(call);
    await call.ended();
    const rows = await world.base.ctx.db.getRepository(turns).findBy({ callId: call.callId });
    expect(rows.map(({ userText }) => userText).filter((text) => text !== null)).toEqual([
      'I was just saying',
    ]);
  });

  test('moves the conversation to a node, where it goes on', async () => {
    const call = await talking();
    await ask(call, { kind: 'goto', nodeId: second });
    await steps(2);
    await hungUp(call);
    expect(host.steps.at(-1)?.step).toMatchObject({ nodeId: second, entry: { kind: 'goto' }, mayMove: true });
    const { gatheredContext } = await call.row();
    expect(gatheredContext['nodes_visited']).toHaveLength(2);
  });

  test('cannot move it to a node that the agent does not have', async () => {
    const call = await talking();
    expect(await ask(call, { kind: 'goto', nodeId: 'nowhere' })).toBe('gone');
    await hungUp(call);
    expect(host.steps).toHaveLength(1);
  });

  test('gives the model a note, which a later host gets, too', async () => {
    const call = await talking();
    await ask(call, { kind: 'whisper', text: 'Offer Friday.' });
    expect([host.notes, host.yielded]).toEqual([[['Offer Friday.']], []]);
    const next = await world.startHost(listening);
    await host.kill();
    await steps(1, next);
    await hungUp(call);
    expect(next.steps[0]?.notes).toEqual([{ visitIndex: 0, text: 'Offer Friday.' }]);
    await next.stop();
  });

  // guarantee: paused-agent-is-silent
  test('silences the agent, which keeps listening, and answers once it is resumed', async () => {
    let hasSpoken = false;
    host.script = (input, signal) => {
      if (input.step.entry.kind !== 'intervention' || hasSpoken) return listening(input, signal);
      hasSpoken = true;
      return says('Hello?');
    };
    const call = await talking();
    await ask(call, { kind: 'pause' });
    await steps(3);
    await ask(call, { kind: 'resume' });
    await steps(4);
    await hungUp(call);
    expect(host.steps.map(({ say, step }) => [step.entry.kind, say.kind])).toEqual([
      ['opening', 'reply'],
      ['intervention', 'line'],
      ['utterance', 'line'],
      ['again', 'reply'],
    ]);
  });

  // guarantee: intervention-breaks-step-off
  test('ends the call at once, or after a goodbye', async () => {
    const atOnce = await talking();
    await hungUp(atOnce);
    expect(host.steps.map(({ say }) => say.kind)).toEqual(['reply']);
    expect(world.carrier.requests('hangUp').length).toBeGreaterThan(0);
    const politely = await talking();
    await ask(politely, { kind: 'hang_up', politely: true });
    await politely.ended();
    expect(host.steps.at(-1)).toMatchObject({
      say: { kind: 'goodbye', reason: 'supervisor' },
      listens: false,
    });
    for (const call of [atOnce, politely])
      expect(await call.row()).toMatchObject({ disposition: 'system_cancelled', state: 'ended' });
    expect(await ask(politely, { kind: 'say', text: 'Too late.' })).toBe('gone');
  });

  test('whose line was under way when its host died has it said by the next one', async () => {
    host.script = ({ say, listens }) => (listens || say.kind === 'line' ? new Promise(() => undefined) : {});
    const call = await talking();
    await ask(call, { kind: 'say', text: 'Please hold the line.' });
    await steps(2);
    const next = await world.startHost(listening);
    await host.kill();
    await steps(2, next);
    await hungUp(call);
    expect(next.steps.map(({ say }) => say)).toEqual([
      { kind: 'resume', line: 'Please hold the line.' },
      { kind: 'line', text: '' },
    ]);
    await next.stop();
  });
});
