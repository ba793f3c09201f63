import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { lastCheck } from '../../src/services/campaigns/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import type { DialRequest } from '../../src/providers/carrier/port.ts';
import { dialCall, reconcileDial, type DialCallInput } from '../../src/services/telephony/index.ts';
import { createPhoneCalls } from '../../src/services/calls/index.ts';
import { claimSeat } from '../../src/services/media/index.ts';
import { createTelephonyActivities } from '../../src/activities/telephony.ts';
import { createCallStarter } from '../../src/temporal/call-starter.ts';
import type { CallStarter } from '../../src/temporal/port.ts';
import { benchDialing, benchEvents } from '../support/bench-calls.ts';
import { freshNumber, startCarrierBench } from '../support/carrier-bench.ts';
import { createFakeCustomerHttp } from '../support/fake-customer-http.ts';
import { createFakeCarrierPort, legOf } from '../support/fake-carrier.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import type { FakeMediaHost } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceWorld } from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const lost = () => new CarrierError('no answer', { outcome: 'unknown', reason: 'timeout' });

describe('a dial', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    host = await world.startHost(() => ({ next: { kind: 'time_up' } }));
  });
  beforeEach(() => {
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
    host.isFull = false;
  });
  afterAll(async () => await world.close());

  test('whose answer was lost after it rang finds its leg, talks to the callee, and never dials twice', async () => {
    const worker = await world.startWorker();
    world.carrier.answers.dial = ({ clientState }: DialRequest) => {
      legOf(world.carrier.legs, clientState);
      return Promise.reject(lost());
    };
    const call = await world.prepare(plain);
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({
      disposition: 'call_duration_exceeded',
      initialContext: { caller_number: '+15557770001' },
    });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    expect(world.carrier.requests('findLeg')[0]).toEqual({
      connectionId: 'app-1',
      clientState: `${call.callUuid}.m1#1`,
    });
    await worker.stop();
  });

  test('is refused when the caller number was deleted after the check, even if the connection has another number', async () => {
    const worker = await world.startWorker();
    const { db } = world.base.ctx;
    const numbers = db.getRepository(phoneNumbers);
    const { id: _id, ...other } = await numbers.findOneByOrFail({ configurationId: world.configurationId });
    const address = '+15557770002';
    const checked = await numbers.save({
      ...other,
      address,
      addressNormalized: address,
      isDefaultCallerId: null,
    });
    const call = await world.prepare(plain, { row: { phoneNumberId: checked.id } });
    const row = await call.row();
    await numbers.delete({ id: checked.id });
    const startPhoneCall: CallStarter['startPhoneCall'] = ({ channel }) =>
      world.starter.startPhoneCall({ ...call.input, channel });
    await expect(createPhoneCalls({ db, calls: { startPhoneCall } }).startCall(row)).rejects.toMatchObject({
      status: 400,
      message: 'Failed to initiate call: the caller number of this call is no longer active',
    });
    expect(await call.ended()).toMatchObject({
      disposition: 'error',
      gatheredContext: {
        error: 'Failed to initiate call: the caller number of this call is no longer active',
      },
    });
    expect(world.carrier.requests('dial')).toEqual([]);
    await worker.stop();
  });

  test('without an answer event recognizes the answer by its stream, and talks to the callee', async () => {
    const worker = await world.startWorker();
    const call = await world.prepare(plain, { timing: { answerLookMs: 200 } });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await world.base.ctx.db
      .getRepository(callSeats)
      .update(
        { callId: call.callId, organizationId: world.base.ctx.organizationId },
        { mediaBeganAt: new Date() },
      );
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    await worker.stop();
  });

  test('whose answer was lost is found by an event of its leg; nothing was said, so no recording is stored', async () => {
    const worker = await world.startWorker();
    world.carrier.answers = { dial: () => Promise.reject(lost()), findLeg: () => Promise.resolve(null) };
    const call = await world.prepare(plain);
    const answer = world.starter.startPhoneCall(call.input);
    await call.dialed();
    await call.carrierReports({ kind: 'initiated' });
    expect(await answer).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'hangup', cause: 'user_busy', source: 'callee' });
    expect(await call.ended()).toMatchObject({ disposition: 'busy' });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    const { events } = await world.base.temporal.client.workflow
      .getHandle(callWorkflowId(call.callUuid))
      .fetchHistory();
    const activities = (events ?? []).map(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name,
    );
    expect(activities).not.toContain('assembleRecording');
    await worker.stop();
  });

  test('with an unknown outcome is looked up for a while, then ends the call, and is never repeated', async () => {
    const worker = await world.startWorker();
    world.carrier.answers = { dial: () => Promise.reject(lost()), findLeg: () => Promise.resolve(null) };
    const call = await world.prepare(plain);
    const quick = createCallStarter({
      temporal: world.base.temporal,
      taskQueue: world.base.queues.call,
      dialAnswerMs: 800,
    });
    expect(await quick.startPhoneCall(call.input)).toEqual({ kind: 'unknown' });
    expect(await call.ended()).toMatchObject({ disposition: 'error' });
    expect(await call.result()).toMatchObject({ retryClass: 'provider' });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    expect(world.carrier.requests('findLeg').length).toBeGreaterThan(1);
    await worker.stop();
  });

  // guarantee: abandoned-dial-hung-up-on-answer
  test('with an unknown outcome that rings later is hung up once when it is answered', async () => {
    const bench = await startCarrierBench({ timeoutMs: 1500 });
    const events = benchEvents(world, bench);
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'slow', steps: [{ do: 'ring', ms: 4000 }, { do: 'answer' }] });
    bench.emulator.arrange({ command: 'dial', how: { kind: 'after_effect', answer: 'silence' } });
    bench.emulator.arrange({
      command: 'active_calls',
      how: { kind: 'no_effect', answer: 'error' },
      times: 1000,
    });
    const worker = await world.startWorker({ accounts: () => benchDialing(bench, number) });
    const call = await world.prepare(plain, { timing: { dialReconcileMs: 500 } });
    await world.starter.startPhoneCall(call.input);
    expect(await call.ended()).toMatchObject({ disposition: 'error' });
    await bench.received('call.answered');
    const refuse = {
      command: 'hangup' as const,
      how: { kind: 'no_effect' as const, answer: 'error' as const },
    };
    bench.emulator.arrange(refuse);
    const legOfCall = () =>
      world.base.ctx.db.getRepository(phoneLegs).findOneByOrFail({ callId: call.callId });
    await events.store(call);
    // Time passes between the lookups; two processes look at once.
    const looks = async (afterMs: number) => await Promise.all([1, 2].map(() => events.redeliver(afterMs)));
    await looks(2000);
    expect((await legOfCall()).endedAt).toBeNull();
    await looks(30_000);
    await bench.received('call.hangup');
    await looks(60_000);
    expect(
      bench.emulator.log.entries({ type: 'command' }).filter(({ command }) => command === 'hangup'),
    ).toHaveLength(2); // one failed and one succeeded
    expect(await legOfCall()).toMatchObject({ state: 'ended', endedAt: expect.any(Date) });
    expect(bench.emulator.rung()[number]).toBe(1);
    await worker.stop();
    await bench.close();
  });

  test('with an unknown outcome is hung up by the call itself when the carrier reports it while the record is completed', async () => {
    world.carrier.answers = { dial: () => Promise.reject(lost()), findLeg: () => Promise.resolve(null) };
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = async (activityType: string) => {
      if (activityType !== 'finalizeCall') return;
      reached.resolve();
      await gate.promise;
    };
    const worker = await world.startWorker({
      interceptors: {
        activity: [
          ({ info }) => ({
            inbound: { execute: async (input, next) => (await held(info.activityType), await next(input)) },
          }),
        ],
      },
    });
    const call = await world.prepare(plain, { timing: { dialReconcileMs: 300 } });
    await world.starter.startPhoneCall(call.input);
    await reached.promise;
    await call.carrierReports({ kind: 'answered' });
    gate.resolve();
    expect(await call.result()).toMatchObject({ disposition: 'error' });
    expect(world.carrier.requests('hangUp').map(({ callControlId }) => callControlId)).toEqual([
      `v3:${call.callUuid}.m1`,
    ]);
    await worker.stop();
  });

  test('of a worker that died after claiming it is repeated by the next one with the same command id, so the carrier rings once', async () => {
    const bench = await startCarrierBench();
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'busy', steps: [{ do: 'ring', ms: 60_000 }] });
    const dial = (request: DialRequest) => benchDialing(bench, number).dial(request);
    world.carrier.answers = { dial, findLeg: () => Promise.resolve(null) };
    const unanswered = async (request: DialRequest): Promise<never> => {
      await dial(request);
      return await new Promise<never>(() => undefined);
    };
    const dying = await world.startWorker({ accounts: () => ({ ...world.carrier, dial: unanswered }) });
    const call = await world.prepare(plain);
    void world.starter.startPhoneCall(call.input);
    await until('the carrier rings', () => Promise.resolve(bench.emulator.rung()[number] === 1));
    await dying.stop();
    const heir = await world.startWorker();
    const dials = () =>
      bench.emulator.log.entries({ type: 'command' }).filter(({ command }) => command === 'dial');
    await until('the carrier is asked again', () => Promise.resolve(dials().length === 2));
    expect(dials().map(({ body, isRepeated }) => [body, isRepeated])).toMatchObject([
      [{ command_id: `${call.callUuid}.m1` }, false],
      [{ command_id: `${call.callUuid}.m1` }, true],
    ]);
    expect(bench.emulator.rung()[number]).toBe(1);
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    await heir.stop();
    await bench.close();
  });

  // guarantee: interrupted-dial-repeats-command-id
  test('of a worker that died between claim and request is made by the next one', async () => {
    const dying = await world.startWorker({
      accounts: () => ({ ...world.carrier, dial: () => new Promise<never>(() => undefined) }),
    });
    const call = await world.prepare(plain);
    void world.starter.startPhoneCall(call.input);
    await until(
      'the right to dial',
      async () =>
        (await world.base.ctx.db.getRepository(phoneLegs).findOneBy({ callId: call.callId }))?.dialedAt ??
        undefined,
    );
    await dying.stop();
    const heir = await world.startWorker();
    await call.dialed();
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    await heir.stop();
  });

  // guarantee: no-redial-after-command-id-expiry
  test('is not repeated by the next worker when the carrier may have forgotten its command id', async () => {
    const { input, deps, carrier } = await claimedCall();
    const later = (ms: number) => ({ ...deps, clock: { now: () => new Date(Date.now() + ms) } });
    carrier.answers.dial = () => Promise.reject(lost());
    expect(await dialCall({ deps, input })).toEqual({ kind: 'unknown' });
    const repeated = { ...input, hasLostAttempt: true };
    expect(await reconcileDial({ deps: later(30_000), input })).toEqual({
      kind: 'unknown',
      isAbsent: true,
    }); // the worker lives and has reported the outcome
    expect(await reconcileDial({ deps: later(30_000), input: repeated })).toEqual({ kind: 'not_dialed' });
    expect(await reconcileDial({ deps: later(41_000), input: repeated })).toEqual({
      kind: 'unknown',
      isAbsent: true,
    });
    expect(await dialCall({ deps: later(41_000), input: repeated })).toEqual({ kind: 'unknown' });
    expect(carrier.requests('dial')).toHaveLength(1);
    carrier.answers = {};
    expect(await dialCall({ deps: later(30_000), input: repeated })).toMatchObject({ kind: 'dialed' });
    expect(await dialCall({ deps: later(30_000), input })).toEqual({ kind: 'unknown' });
    expect(carrier.requests('dial').map(({ commandId }) => commandId)).toEqual([
      `${input.callUuid}.m1`,
      `${input.callUuid}.m1`,
    ]);
  });

  // guarantee: paused-process-drops-stale-dial
  test('is not made by a process that was suspended, because others may have made it', async () => {
    const { input, deps, carrier } = await claimedCall();
    let asked = 0;
    const standing = { now: () => new Date(Date.now() + ((asked += 1) > 1 ? 7000 : 0)) };
    expect(await dialCall({ deps: { ...deps, clock: standing }, input })).toEqual({ kind: 'unknown' });
    expect(carrier.requests('dial')).toEqual([]);
  });

  /** A call with a seat, and its commands without a Workflow. */
  async function claimedCall() {
    const call = await world.prepare(plain);
    const input: DialCallInput = {
      callId: call.callId,
      organizationId: call.input.organizationId,
      callUuid: call.callUuid,
      configurationId: world.configurationId,
      attempt: 1,
      generation: 1,
      phoneNumberId: null,
      maxDurationMs: 1000,
      ringingMs: 1000,
      limitBehindMs: 60_000,
      detectsMachines: false,
    };
    const { ctx } = world.base;
    await claimSeat({
      deps: ctx,
      input: { callId: call.callId, organizationId: ctx.organizationId, generation: 1 },
      hostId: host.hostId,
    });
    const carrier = createFakeCarrierPort();
    return {
      call,
      input,
      carrier,
      deps: {
        ...ctx,
        accounts: () => carrier,
        http: createFakeCustomerHttp(),
        publicUrl: 'https://parlance.test/',
        checkBeforeDial: (row: Parameters<typeof lastCheck>[1]) => lastCheck(ctx, row),
      },
    };
  }

  test('of a worker that died before claiming it is made once by the next one', async () => {
    let died = false;
    const dying = await world.startWorker({
      onCommand: async (name) => {
        if (name !== 'dialCall' || died) return;
        died = true;
        await new Promise<never>(() => undefined);
      },
    });
    const call = await world.prepare(plain);
    const answer = world.starter.startPhoneCall(call.input);
    await until('the death', () => Promise.resolve(died));
    await dying.stop();
    const heir = await world.startWorker();
    await answer;
    await call.dialed();
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    await heir.stop();
  });

  // guarantee: callee-rung-once-per-call
  test('is made once when its activity is repeated or runs twice at once', async () => {
    const { call, input, deps, carrier } = await claimedCall();
    expect(await reconcileDial({ deps, input })).toEqual({ kind: 'not_dialed' });
    const outcomes = await Promise.all([1, 2, 3].map(() => dialCall({ deps, input })));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['dialed', 'unknown', 'unknown']);
    expect(await dialCall({ deps, input })).toEqual({ kind: 'unknown' });
    expect(await reconcileDial({ deps, input })).toMatchObject({ kind: 'dialed' });
    expect(carrier.requests('dial')).toEqual([
      expect.objectContaining({
        webhookUrl: `https://parlance.test/api/v1/telephony/telnyx/events/${call.callId}`,
        timeLimitSeconds: 61,
        ringTimeoutSeconds: 5,
        stream: {
          url: expect.stringMatching(
            /^ws:\/\/[0-9a-f]{8}\.media\.test\/api\/v1\/telephony\/ws\/\d+\/\d+\/\d+\/[0-9a-f]{48}\?generation=1$/,
          ),
        },
      }),
    ]);
    expect(Object.keys(createTelephonyActivities(deps))).toContain('reconcileDial');
  });

  test('is made once, by one Workflow, when the same request is sent twice', async () => {
    const worker = await world.startWorker();
    const call = await world.prepare(plain);
    expect(
      await Promise.all([world.starter.startPhoneCall(call.input), world.starter.startPhoneCall(call.input)]),
    ).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    await call.carrierReports({ kind: 'hangup', cause: 'no_answer', source: 'callee' });
    expect(await call.ended()).toMatchObject({ disposition: 'no-answer' });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    expect(world.carrier.requests('dial')).toHaveLength(1);
    await worker.stop();
  });

  test('is not made for a call that the API has refused meanwhile', async () => {
    const worker = await world.startWorker();
    const call = await world.prepare(plain, { row: { state: 'refused' } });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'unknown' });
    expect(await call.result()).toMatchObject({ state: 'refused' });
    expect(world.carrier.sent).toEqual([]);
    await worker.stop();
  });

  test('is not made without a free seat: the call ends before the dial', async () => {
    const worker = await world.startWorker();
    host.isFull = true;
    const call = await world.prepare(plain, { timing: { mediaSeatMs: 1200 } });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({
      kind: 'refused',
      message: 'no media host has a free seat',
    });
    expect(await call.ended()).toMatchObject({ disposition: 'system_connect_error' });
    expect(await call.result()).toMatchObject({ retryClass: 'capacity' });
    expect(world.carrier.sent).toEqual([]);
    await worker.stop();
  });
});
