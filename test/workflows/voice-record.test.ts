import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { insertRow } from '../../src/db/rows.ts';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { carrierEvents } from '../../src/db/tables/carrier-events.ts';
import { journalEntries } from '../../src/db/tables/journal-entries.ts';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import type { TurnTimings } from '../../src/domain/call/voice.ts';
import { closeOrphanedCall } from '../../src/services/operations/index.ts';
import { lockCall, removeTranscript, removeVariables } from '../../src/services/data-lifecycle/index.ts';
import { createExecutions } from '../../src/temporal/executions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { testSecrets } from '../support/database.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import {
  createVoiceWorld,
  type VoiceCall,
  type VoiceChanges,
  type VoiceWorld,
} from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const never: Script = () => new Promise(() => undefined);
const timings: TurnTimings = {
  zeroAt: '2026-11-22T04:00:00.000Z',
  speechEndMs: 0,
  turnDecidedMs: 600,
  claimedMs: 610,
  llmSentMs: 600,
  llmFirstTokenMs: 900,
  firstClauseMs: 950,
  ttsSentMs: 950,
  ttsFirstByteMs: 1050,
  firstFrameSentMs: 1070,
  interruptedMs: null,
  playoutEndMs: 2500,
  model: 'model',
};

describe('the record of a phone call', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
    host = await world.startHost(never);
  });
  beforeEach(() => {
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
    host.script = never;
    host.steps.length = 0;
  });
  afterAll(async () => await world.close());

  const db = () => world.base.ctx.db;
  const answered = async (changes: VoiceChanges = {}): Promise<VoiceCall> => {
    const call = await world.prepare(plain, changes);
    await world.starter.startPhoneCall(call.input);
    await call.carrierReports({ kind: 'answered' });
    await until('the first step', () => Promise.resolve(host.steps.length > 0));
    return call;
  };
  const stored = async (
    { callId }: VoiceCall,
    eventType: string,
    at: Date,
    payload: Record<string, unknown> = {},
  ) =>
    await insertRow(db().manager, carrierEvents, {
      organizationId: world.base.ctx.organizationId,
      callId,
      eventId: `${callId}-${eventType}`,
      eventType,
      occurredAt: at,
      raw: {
        data: { event_type: eventType, payload: { call_control_id: 'c1', from: '+15557770001', ...payload } },
      },
      receivedAt: at,
      deliveredAt: at,
    });

  test("contains the carrier's callbacks, timings, durations from the beginning of media, and no journal", async () => {
    host.script = ({ step }) =>
      step.entry.kind === 'opening' ? says('hello') : { timings, next: { kind: 'time_up' } };
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    const begun = new Date();
    await stored(call, 'call.initiated', begun);
    await stored(call, 'call.answered', new Date(begun.getTime() + 1000));
    await stored(call, 'streaming.started', new Date(begun.getTime() + 1100));
    await stored(call, 'call.hangup', new Date(begun.getTime() + 43_000), {
      hangup_cause: 'normal_clearing',
    });
    await db()
      .getRepository(callSeats)
      .update({ callId: call.callId }, { mediaBeganAt: new Date(begun.getTime() + 1100) });
    const { organizationId } = world.base.ctx;
    await insertRow(db().manager, journalEntries, {
      organizationId,
      callId: call.callId,
      generation: 1,
      turnIndex: 0,
      visitIndex: 0,
      toolRound: 0,
      position: 0,
      kind: 'clause',
      text: 'Hello.',
      data: null,
      sentAt: null,
      playedAt: null,
      heardText: null,
      writtenAt: begun,
    });
    host.script = ({ step, say }) =>
      say.kind === 'goodbye'
        ? call
            .carrierReports(
              { kind: 'hangup', cause: 'originator_cancel', source: 'caller' },
              { at: new Date(begun.getTime() + 43_100) },
            )
            .then(() => ({}))
        : step.entry.kind === 'opening'
          ? says('hello')
          : { timings, next: { kind: 'time_up' } };
    await call.carrierReports({ kind: 'answered' }, { at: new Date(begun.getTime() + 1000) });
    const row = await call.ended();
    expect(row).toMatchObject({
      disposition: 'call_duration_exceeded',
      usage: { call_duration_seconds: 42 },
      latencyP95Ms: 1070,
    });
    expect(row.answeredAt?.getTime()).toBe(begun.getTime() + 1000);
    expect(row.logs['telephony_status_callbacks']).toMatchObject([
      { status: 'initiated', call_id: 'c1', event_type: 'call.initiated' },
      { status: 'in-progress' },
      { status: 'completed', timestamp: new Date(begun.getTime() + 43_000).toISOString() },
    ]);
    expect(row.logs['realtime_feedback_events']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'rtf-ttfb-metric',
          payload: { ttfb_seconds: 0.3, processor: 'llm', model: 'model' },
        }),
        expect.objectContaining({
          type: 'rtf-ttfb-metric',
          payload: { ttfb_seconds: 0.1, processor: 'tts', model: null },
        }),
        expect.objectContaining({ type: 'rtf-latency-measured', payload: { latency_seconds: 1.07 } }),
        expect.objectContaining({ type: 'rtf-bot-started-speaking' }),
        expect.objectContaining({ type: 'rtf-bot-stopped-speaking' }),
      ]),
    );
    expect(await db().getRepository(journalEntries).countBy({ callId: call.callId })).toBe(0);
    expect(await db().getRepository(phoneLegs).findBy({ callId: call.callId })).toMatchObject([
      { state: 'ended', hangupCause: 'originator_cancel' },
    ]);
    expect(
      (await db().getRepository(callSeats).findOneByOrFail({ callId: call.callId })).releasedAt,
    ).not.toBeNull();
    await call.result();
    const { searchAttributes, typedSearchAttributes: shown } = await world.base.temporal.client.workflow
      .getHandle(`call/${call.callUuid}`)
      .describe();
    expect(searchAttributes).toMatchObject({
      CallState: ['ended'],
      TelephonyProvider: ['telnyx'],
      MediaHost: [host.hostId],
      Disposition: ['call_duration_exceeded'],
    });
    expect(shown.getAll().map(({ key, value }) => [key.name, value])).toContainEqual(['TurnP95Ms', 1070]);
  });

  // guarantee: terminated-call-hung-up
  test('is completed by the reconciler after a termination: the seat is released and the leg hung up, once', async () => {
    const call = await answered();
    await world.base.temporal.client.workflow.getHandle(`call/${call.callUuid}`).terminate();
    const { ctx } = world.base;
    const deps = {
      ...ctx,
      llm: createScriptedLlm(),
      model: 'm',
      customerLlms: () => createScriptedLlm(),
      publicUrl: '',
      secrets: testSecrets,
      executions: createExecutions({ temporal: world.base.temporal }),
      accounts: () => world.carrier,
    };
    const orphaned = {
      callId: call.callId,
      callUuid: call.callUuid,
      organizationId: ctx.organizationId,
      organizationUuid: call.input.organizationUuid,
      wasStopped: true,
    };
    await closeOrphanedCall({ deps, input: orphaned });
    await closeOrphanedCall({ deps, input: orphaned });
    expect(await call.row()).toMatchObject({ state: 'ended', disposition: 'system_cancelled' });
    expect(
      (await db().getRepository(callSeats).findOneByOrFail({ callId: call.callId })).releasedAt,
    ).not.toBeNull();
    expect(await db().getRepository(phoneLegs).findBy({ callId: call.callId })).toMatchObject([
      { state: 'ended' },
    ]);
    expect(new Set(world.carrier.requests('hangUp').map(({ commandId }) => commandId))).toEqual(
      new Set([`${call.callUuid}.m1.hangup.orphaned`]),
    );
  });

  test('loses its carrier events and the journal when it is erased', async () => {
    host.script = () => ({ next: { kind: 'time_up' } });
    const call = await answered();
    await stored(call, 'call.initiated', new Date());
    await call.ended();
    const { organizationId } = world.base.ctx;
    await db().transaction(async (tx) => {
      const locked = await lockCall(tx, { callId: call.callId, organizationId });
      if (locked === null) throw new Error('no call');
      const [transcript, variables] = [
        await removeTranscript(tx, locked, new Date()),
        await removeVariables(tx, locked, new Date()),
      ];
      expect({ ...transcript, ...variables }).toMatchObject({
        turns: 2,
        journal_entries: 0,
        carrier_events: 1,
      });
    });
    expect(await db().getRepository(carrierEvents).findBy({ callId: call.callId })).toMatchObject([
      { raw: null },
    ]);
    expect((await call.row()).logs).not.toHaveProperty('telephony_status_callbacks');
  });
});

describe('an incoming call', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
    host = await world.startHost(() => ({ next: { kind: 'time_up' } }));
  });
  beforeEach(() => {
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
  });
  afterAll(async () => await world.close());

  const incoming = async () => {
    const ringing = { callControlId: `in-${Math.random()}`, legId: 'leg-in', sessionId: 'session-in' };
    const call = await world.prepare(plain, {
      channel: { direction: 'inbound', ringing },
      row: {
        direction: 'inbound',
        source: 'inbound',
        initialContext: {
          caller_number: '+15551230001',
          called_number: '+15557770001',
          direction: 'inbound',
        },
      },
    });
    return { call, ringing };
  };

  test('is taken once per event, answered with the stream of its seat, and greeted at once', async () => {
    const { call, ringing } = await incoming();
    expect(
      await Promise.all([
        world.starter.takeInbound(call.input, 'event-1'),
        world.starter.takeInbound(call.input, 'event-1'),
      ]),
    ).toEqual(['taken', 'taken']);
    expect(await call.ended()).toMatchObject({
      disposition: 'call_duration_exceeded',
      gatheredContext: {
        triggered_by: 'inbound',
        call_control_id: ringing.callControlId,
        call_leg_id: 'leg-in',
      },
      initialContext: { caller_number: '+15551230001' },
    });
    expect(world.carrier.requests('answer')).toEqual([
      expect.objectContaining({
        callControlId: ringing.callControlId,
        commandId: `${call.callUuid}.m1.answer`,
        clientState: `${call.callUuid}.m1#1`,
        stream: { url: expect.stringContaining('generation=1') },
      }),
    ]);
    expect(world.carrier.requests('dial')).toEqual([]);
    expect(await world.starter.takeInbound(call.input, 'event-2')).toBe('taken');
    expect(world.carrier.requests('answer')).toHaveLength(1);
  });

  test('ends when its caller has hung up meanwhile', async () => {
    world.carrier.answers.answer = () => Promise.resolve('over');
    host.steps.length = 0;
    const { call } = await incoming();
    await world.starter.takeInbound(call.input, 'event-1');
    expect(await call.ended()).toMatchObject({
      disposition: 'canceled',
      usage: { call_duration_seconds: 0 },
    });
    expect(host.steps).toEqual([]);
  });
});

describe('a call in a browser', () => {
  test('runs at the host that has its socket, and ends when the socket closes', async () => {
    const world = await createVoiceWorld();
    try {
      await world.startWorker();
      const host = await world.startHost(({ step }) =>
        step.entry.kind === 'opening' ? says('hello') : { next: { kind: 'gone' } },
      );
      const call = await world.prepare(plain, {
        channel: {
          kind: 'web',
          provider: undefined,
          configurationId: null,
          host: { hostId: host.hostId, hostQueue: host.hostQueue },
        },
        row: { channel: 'web', mode: 'web' },
      });
      await world.starter.startCall(call.input);
      await world.starter.startCall(call.input);
      expect(await call.ended()).toMatchObject({
        disposition: 'user_hangup',
        tags: ['user_hangup', 'user_speech'],
      });
      expect(host.claims).toEqual([]);
      expect(host.steps.map(({ generation }) => generation)).toEqual([1, 1]);
      expect(world.carrier.sent).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
