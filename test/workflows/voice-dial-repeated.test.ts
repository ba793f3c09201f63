import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { benchDialing, benchEvents } from '../support/bench-calls.ts';
import { freshNumber, startCarrierBench, type CarrierBench } from '../support/carrier-bench.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });

describe('a dial that is repeated after its worker was killed', () => {
  let world: VoiceWorld;
  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startHost(() => ({ next: { kind: 'time_up' } }));
  });
  let bench: CarrierBench;
  let heir: Awaited<ReturnType<VoiceWorld['startWorker']>> | undefined;
  afterEach(async () => {
    await heir?.stop();
    heir = undefined;
    await bench.close();
  });
  afterAll(async () => await world.close());

  /** A worker sends the dial and is killed without the answer; the next one repeats the dial. */
  async function repeatedDial(assumptions: Partial<CarrierBench['emulator']['settings']['assumptions']>) {
    bench = await startCarrierBench();
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'slow', steps: [{ do: 'ring', ms: 600_000 }] });
    const ringing = benchDialing(bench, number);
    const accounts = () => ({
      ...ringing,
      findLeg: ({ clientState }: { clientState: string }) =>
        bench.carrier.findLeg({ connectionId: bench.connectionId, clientState }),
    });
    const dying = await world.startWorker({
      accounts: () => ({
        ...accounts(),
        dial: async (request) => {
          await ringing.dial(request);
          return await new Promise<never>(() => undefined);
        },
      }),
    });
    const call = await world.prepare(plain, { timing: { dialReconcileMs: 1500 } });
    void world.starter.startPhoneCall(call.input);
    await until('the carrier rings', () => Promise.resolve(bench.emulator.rung()[number] === 1));
    await dying.stop();
    // The lookup before the repeat does not show the leg, whatever later lookups show.
    Object.assign(bench.emulator.settings.assumptions, { ...assumptions, listsRinging: false });
    heir = await world.startWorker({ accounts });
    await until('the repeat', () =>
      Promise.resolve(
        bench.emulator.log.entries({ type: 'command' }).some((each) => each['isRepeated'] === true),
      ),
    );
    Object.assign(bench.emulator.settings.assumptions, assumptions);
    return { number, call };
  }

  test.each(['same', 'ignored', 'refused', 'channel_limit'] as const)(
    'and answered with "%s" rings the callee once, and the call continues with the leg that the carrier lists',
    async (repeated) => {
      const { number, call } = await repeatedDial({
        repeatedDial: repeated,
        listsRinging: true,
      });
      await call.carrierReports({ kind: 'answered' });
      expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
      expect(bench.emulator.rung()[number]).toBe(1);
    },
  );

  // guarantee: refused-repeat-is-unknown
  test.each(['ignored', 'refused', 'channel_limit'] as const)(
    'and answered with "%s" ends in doubt if the carrier lists no leg, and the leg is hung up when it appears',
    async (repeated) => {
      const { number, call } = await repeatedDial({
        repeatedDial: repeated,
        listsRinging: false,
      });
      expect(await call.ended()).toMatchObject({ disposition: 'error', gatheredContext: {} });
      expect(bench.emulator.legs()).toHaveLength(1);
      expect(await legOf(call)).toMatchObject({
        state: 'dialing',
        endedAt: null,
        hangUpFrom: expect.any(Date),
      });
      bench.emulator.legs()[0]?.answer();
      await bench.received('call.answered');
      const events = benchEvents(world, bench);
      await events.store(call);
      await events.redeliver(2000);
      await bench.received('call.hangup');
      expect(bench.emulator.rung()[number]).toBe(1);
    },
  );

  const legOf = (call: VoiceCall) =>
    world.base.ctx.db.getRepository(phoneLegs).findOneByOrFail({ callId: call.callId });
});
