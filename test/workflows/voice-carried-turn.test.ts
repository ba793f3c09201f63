import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { turns } from '../../src/db/tables/turns.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const words = ['one', 'two', 'three'];

describe('a turn at the same node', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
  });
  beforeEach(async () => {
    host = await world.startHost(conversation);
  });
  afterEach(async () => await host.stop());
  afterAll(async () => await world.close());

  /**
   * The caller says three things, one after the other, then the time is up. A step lasts until the turn before is
   * stored: without turns that its host writes, until the opening is, so that the next turn is carried.
   */
  const conversation: Script = async ({ callId, step, say }) => {
    const count = host.writesTurns ? step.turnIndex : Math.min(step.turnIndex, 1);
    await until(
      'the turns before',
      async () => (await world.base.ctx.db.getRepository(turns).countBy({ callId })) >= count,
    );
    const word = words[step.turnIndex];
    return say.kind === 'goodbye' ? {} : word === undefined ? { next: { kind: 'time_up' } } : says(word);
  };

  async function talked(): Promise<VoiceCall> {
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await call.carrierReports({ kind: 'answered' });
    await call.ended();
    return call;
  }

  /** Turns by their index, with what the caller said. */
  async function stored({ callId }: VoiceCall): Promise<[number, string | null][]> {
    const rows = await world.base.ctx.db
      .getRepository(turns)
      .find({ where: { callId }, order: { turnIndex: 'ASC' } });
    return rows.map(({ turnIndex, userText }) => [turnIndex, userText]);
  }

  /** The turns that activities have committed. */
  async function committedByActivities({ callUuid }: VoiceCall): Promise<number> {
    const { events } = await world.base.temporal.client.workflow
      .getHandle(callWorkflowId(callUuid))
      .fetchHistory();
    return (events ?? []).filter(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'commitTurn',
    ).length;
  }

  const all = [
    [0, null],
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, null],
  ];

  test('is written by the host of the next step, without an activity of its own', async () => {
    const call = await talked();
    expect(await stored(call)).toEqual(all);
    // The opening enters a node, and the last turn ends the call.
    expect(await committedByActivities(call)).toBe(2);
  });

  // guarantee: carried-turn-is-committed
  test('is committed by an activity when its host does not say that it was written', async () => {
    host.writesTurns = false;
    const call = await talked();
    expect(await stored(call)).toEqual(all);
    expect(await committedByActivities(call)).toBe(5);
  });

  test.each([
    ['has written it and dies before it says so', true],
    ['dies before it writes it', false],
  ])('is stored once when its host %s', async (_how, writesTurns) => {
    host.writesTurns = writesTurns;
    host.script = (input, signal) =>
      input.step.turnIndex === 2 ? new Promise(() => undefined) : conversation(input, signal);
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await call.carrierReports({ kind: 'answered' });
    await call.carrierReports({ kind: 'stream_started', generation: 1 });
    await until('the step of the host', () =>
      Promise.resolve(host.steps.some(({ step }) => step.turnIndex === 2)),
    );
    const next = await world.startHost(conversation);
    await host.kill();
    host.writesTurns = true; // from here on, steps wait for each turn
    await call.ended();
    expect(await stored(call)).toEqual(all);
    expect(await committedByActivities(call)).toBe(3);
    await next.stop();
  });
});
