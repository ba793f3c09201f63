import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../src/domain/agents/settings.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceWorld } from '../support/voice-world.ts';

/** A spoken call stays within one run, because its maximum duration limits its history. */

/** Temporal warns at these sizes and ends a Workflow at five times as much. */
const warnsAt = { events: 10_240, bytes: 10 * 1024 * 1024 };
/** The time of one word and a reply to it. */
const fastestTurnMs = 2000;

let world: VoiceWorld;

beforeAll(async () => {
  world = await createVoiceWorld();
  await world.startWorker();
});
afterAll(() => world.close());

// guarantee: call-history-fits-one-run
test('the history of the longest call with the fastest turns stays below the size at which Temporal warns', async () => {
  const [early, late] = [20, 80];
  let turns = 0;
  const gates = [early, late].map((at) => ({ at, ...Promise.withResolvers<void>() }));
  await world.startHost(async () => {
    turns += 1;
    await gates.find(({ at }) => at === turns)?.promise;
    return turns > late
      ? { next: { kind: 'time_up' } }
      : says(`Words of an ordinary length, as people say them: turn ${turns}.`);
  });
  const call = await world.prepare(threeStepDefinition({ webhook: false, extraction: false }));
  await world.starter.startPhoneCall(call.input);
  await call.carrierReports({ kind: 'answered' });
  const lengths: { events: number; bytes: number }[] = [];
  for (const { at, resolve } of gates) {
    // Dozens of turns take half a minute on a busy machine.
    await until(`turn ${at}`, () => Promise.resolve(turns === at));
    const { raw, historyLength } = await world.base.temporal.client.workflow
      .getHandle(callWorkflowId(call.callUuid))
      .describe();
    lengths.push({ events: historyLength, bytes: Number(raw.workflowExecutionInfo?.historySizeBytes) });
    resolve();
  }
  await call.ended();
  const [first = { events: 0, bytes: 0 }, second = { events: 0, bytes: 0 }] = lengths;
  const perTurn = {
    events: (second.events - first.events) / (late - early),
    bytes: (second.bytes - first.bytes) / (late - early),
  };
  process.stderr.write(
    `a spoken turn adds ${perTurn.events.toFixed(1)} events and ${Math.round(perTurn.bytes)} bytes to the history of its call\n`,
  );
  const maxTurns = readAgentSettings({ max_call_duration: 1_000_000 }).maxCallDurationMs / fastestTurnMs;
  expect(maxTurns).toBe(600);
  expect(first.events + maxTurns * perTurn.events).toBeLessThan(warnsAt.events);
  expect(first.bytes + maxTurns * perTurn.bytes).toBeLessThan(warnsAt.bytes);
});
