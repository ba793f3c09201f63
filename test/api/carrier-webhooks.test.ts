import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { findRows, updateRows } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { carrierEvents } from '../../src/db/tables/carrier-events.ts';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../src/db/tables/telephony-configurations.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import { legReference } from '../../src/domain/telephony/client-state.ts';
import type { CarrierEvent } from '../../src/domain/telephony/carrier-event.ts';
import { createCarrierRegistry } from '../../src/providers/carrier/registry.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { redeliverEvents } from '../../src/services/telephony/index.ts';
import { telephonyPlace } from '../../src/services/telephony/accounts/configurations.ts';
import type { CallInput } from '../../src/temporal/port.ts';
import {
  answeringCalls,
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../support/api-on-services.ts';
import { createSigningCarrier, carrierEventBody, type EventParts } from '../support/carrier-webhooks.ts';
import { createTestDatabase, databases, testSecrets, type TestDatabase } from '../support/database.ts';
import { createFakeAccounts } from '../support/fake-accounts.ts';
import { insertConnection } from '../support/telephony.ts';
import { until } from '../support/until.ts';

const connectionId = '1494404757140276705';

describe.each(databases)('webhooks of carriers, on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let organizationId: number;
  let key: string;
  let agentId: number;
  let number: { id: number; address: string };
  const carrier = createSigningCarrier();
  const signaled: { callUuid: string; event: CarrierEvent }[] = [];
  const taken: { input: CallInput; eventId: string }[] = [];
  const rejected: string[] = [];
  let isTemporalAway = false;
  let refusals = 0;

  const orAway = <T>(work: () => T): Promise<T> =>
    isTemporalAway
      ? ((refusals += 1),
        Promise.reject(new UnavailableError('Temporal is away', { dependency: 'temporal' })))
      : Promise.resolve(work());
  const starter = {
    ...answeringCalls,
    signalCarrierEvent: (callUuid: string, event: CarrierEvent) =>
      orAway(() => (signaled.push({ callUuid, event }), 'delivered' as const)),
    takeInbound: (input: CallInput, eventId: string) =>
      orAway(() => (taken.push({ input, eventId }), 'taken' as const)),
  };
  const accounts = createFakeAccounts();
  const withReject: typeof accounts.carriers = (credentials) => ({
    ...accounts.carriers(credentials),
    reject: ({ callControlId, cause }) => (
      rejected.push(`${callControlId} ${cause}`),
      Promise.resolve('done' as const)
    ),
  });

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, {
      calls: starter,
      accounts: withReject,
      callLimits: { calls: 1, inboundShare: 1 },
    });
    ({ key, organizationId } = await createTenant(database.db));
    const { configurationId, numberIds } = await insertConnection(database.db, organizationId);
    const sealed = testSecrets.seal(
      JSON.stringify({ api_key: 'KEY', connection_id: connectionId, webhook_public_key: carrier.publicKey }),
      telephonyPlace(organizationId),
    );
    await updateRows(database.db.manager, telephonyConfigurations, {
      where: { id: configurationId, organizationId },
      change: { credentialsEncrypted: sealed },
    });
    agentId = Number(
      idAt(
        (
          await api.ask(key, 'POST', '/workflow/create/definition', {
            name: 'answers',
            workflow_definition: completeGraph(),
          })
        ).body,
        'id',
      ),
    );
    const id = Number(numberIds[0]);
    await updateRows(database.db.manager, phoneNumbers, {
      where: { id, organizationId },
      change: { inboundAgentId: agentId },
    });
    const [row] = await findRows(database.db.manager, phoneNumbers, { id, organizationId });
    number = { id, address: row?.addressNormalized ?? '' };
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(async () => {
    signaled.length = 0;
    taken.length = 0;
    rejected.length = 0;
    isTemporalAway = false;
    refusals = 0;
    await database.db.getRepository(calls).update({ organizationId }, { state: 'ended' });
  });

  const post = (path: string, body: string, headers = carrier.headers(body)): Promise<Asked> =>
    api.send(headers, 'POST', `/telephony/${path}`, body);
  const incoming = (payload: Record<string, unknown> = {}, parts: Partial<EventParts> = {}) =>
    carrierEventBody({
      type: 'call.initiated',
      ...parts,
      payload: {
        connection_id: connectionId,
        direction: 'incoming',
        from: '+4915112345678',
        to: number.address,
        state: 'parked',
        ...payload,
      },
    });
  const ring = async (controlId: string = randomIds.uuid()) => {
    expect(await post('inbound/run', incoming({ call_control_id: controlId }))).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    const [leg] = await findRows(database.db.manager, phoneLegs, {
      organizationId,
      callControlId: controlId,
    });
    const [call] = await findRows(database.db.manager, calls, { id: leg?.callId ?? 0, organizationId });
    if (call === undefined) throw new Error('no call was made');
    return { call, controlId };
  };
  const toldOf = (count: number) =>
    until(`${count} events are signaled`, () => Promise.resolve(signaled.length >= count));
  const delivered = (eventId: string) =>
    until('the event is noted as signaled', async () => (await kept(eventId))[0]?.deliveredAt !== null);
  const kept = (eventId: string) => findRows(database.db.manager, carrierEvents, { organizationId, eventId });

  describe('events of a call', () => {
    // guarantee: carrier-event-stored-and-forwarded
    test('a signed event is stored, delivered to its call without personal data, and answered with 200', async () => {
      const { call, controlId } = await ring();
      const body = carrierEventBody({
        type: 'call.answered',
        id: 'answered-1',
        payload: { call_control_id: controlId, from: '+4915112345678', to: number.address },
      });
      expect(await post(`telnyx/events/${call.id}`, body)).toMatchObject({
        status: 200,
        body: { status: 'success' },
      });
      await toldOf(1);
      expect(signaled[0]).toMatchObject({
        callUuid: call.uuid,
        event: {
          eventId: 'answered-1',
          role: 'main',
          what: { kind: 'answered' },
          leg: { callControlId: controlId },
        },
      });
      expect(JSON.stringify(signaled)).not.toContain('4915112345678');
      await delivered('answered-1');
    });

    test('a repeated event is stored and delivered once', async () => {
      const { call, controlId } = await ring();
      const body = carrierEventBody({
        type: 'call.hangup',
        id: `hangup-${controlId}`,
        payload: { call_control_id: controlId, hangup_cause: 'normal_clearing' },
      });
      await post(`telnyx/events/${call.id}`, body);
      await delivered(`hangup-${controlId}`);
      expect((await post(`telnyx/events/${call.id}`, body)).status).toBe(200);
      expect([(await kept(`hangup-${controlId}`)).length, signaled.length]).toEqual([1, 1]);
    });

    test('the row of a leg shows whether it rings, was answered or has ended, for any order of events', async () => {
      const { call, controlId } = await ring();
      const reference = legReference(call.uuid, { role: 'main', attempt: 1 });
      await updateRows(database.db.manager, phoneLegs, {
        where: { organizationId, reference },
        change: { state: 'dialing' },
      });
      const states: unknown[] = [];
      const event = async (type: string, payload: Record<string, unknown> = {}) => {
        const id = randomIds.uuid();
        await post(
          `telnyx/events/${call.id}`,
          carrierEventBody({ type, id, payload: { call_control_id: controlId, ...payload } }),
        );
        await delivered(id);
        const [leg] = await findRows(database.db.manager, phoneLegs, { organizationId, reference });
        states.push([leg?.state, leg?.answeredAt !== null, leg?.endedAt !== null, leg?.hangupCause]);
      };
      for (const type of ['call.initiated', 'call.ringing', 'call.answered', 'call.ringing'])
        await event(type);
      await event('call.hangup', { hangup_cause: 'normal_clearing' });
      await event('call.answered');
      expect(states).toEqual([
        ['dialing', false, false, null],
        ['ringing', false, false, null],
        ['answered', true, false, null],
        ['answered', true, false, null],
        ['ended', true, true, 'normal_clearing'],
        ['ended', true, true, 'normal_clearing'],
      ]);
    });

    test('an event that cannot be delivered to its call is answered with 200 and delivered later', async () => {
      const { call, controlId } = await ring();
      isTemporalAway = true;
      const id = `late-${controlId}`;
      expect(
        (
          await post(
            `telnyx/events/${call.id}`,
            carrierEventBody({ type: 'call.answered', id, payload: { call_control_id: controlId } }),
          )
        ).status,
      ).toBe(200);
      await until('it was tried', () => Promise.resolve(refusals > 0));
      expect((await kept(id))[0]?.deliveredAt).toBeNull();
      isTemporalAway = false;
      const later = { now: () => new Date(Date.now() + 5000) };
      const deps = {
        db: database.db,
        clock: later,
        log: pino({ level: 'silent' }),
        secrets: testSecrets,
        calls: starter,
        webhooks: createCarrierRegistry().webhooks,
      };
      expect(await redeliverEvents(deps, new AbortController().signal)).toBeGreaterThan(0);
      expect(signaled.map(({ event }) => event.eventId)).toContain(id);
      expect((await kept(id))[0]?.deliveredAt).not.toBeNull();
    });

    test('an event that can never be delivered does not block later ones', async () => {
      const [broken, whole] = [await ring(), await ring()];
      isTemporalAway = true;
      for (const { call, controlId } of [broken, whole])
        await post(
          `telnyx/events/${call.id}`,
          carrierEventBody({
            type: 'call.answered',
            id: `stuck-${controlId}`,
            payload: { call_control_id: controlId },
          }),
        );
      isTemporalAway = false;
      const signalCarrierEvent = (callUuid: string, event: CarrierEvent) =>
        callUuid === broken.call.uuid
          ? Promise.reject(new Error('a history that cannot grow'))
          : starter.signalCarrierEvent(callUuid, event);
      const deps = {
        db: database.db,
        clock: { now: () => new Date(Date.now() + 5000) },
        log: pino({ level: 'silent' }),
        secrets: testSecrets,
        calls: { signalCarrierEvent },
        webhooks: createCarrierRegistry().webhooks,
      };
      await redeliverEvents(deps, new AbortController().signal);
      expect([
        (await kept(`stuck-${broken.controlId}`))[0]?.deliveredAt,
        signaled.map(({ callUuid }) => callUuid),
      ]).toEqual([null, expect.arrayContaining([whole.call.uuid])]);
      await database.db.getRepository(carrierEvents).update({ organizationId }, { deliveredAt: new Date() });
    });

    // guarantee: unsigned-carrier-event-refused
    test('a forged, altered, old or unsigned event is refused and not stored', async () => {
      const { call } = await ring();
      const body = carrierEventBody({ type: 'call.answered', id: 'forged' });
      const refused = [
        createSigningCarrier().headers(body),
        carrier.headers(`${body} `),
        carrier.headers(body, { at: new Date(Date.now() - 301_000) }),
        {},
      ];
      for (const headers of refused)
        expect(await post(`telnyx/events/${call.id}`, body, headers)).toMatchObject({
          status: 401,
          body: { detail: 'Invalid webhook signature' },
        });
      const ofCall = signaled.filter(({ callUuid }) => callUuid === call.uuid);
      expect([await kept('forged'), ofCall]).toEqual([[], []]);
    });

    // guarantee: call-ids-not-countable
    test('an unknown call is answered like a wrong signature, so that nobody can count calls', async () => {
      const { call } = await ring();
      const body = carrierEventBody({ type: 'call.answered' });
      const asked = async (id: number, headers: Record<string, string>) => {
        const { status, body: answer } = await post(`telnyx/events/${id}`, body, headers);
        return { status, detail: Object(answer).detail, code: Object(answer).code };
      };
      const forged = createSigningCarrier().headers(body);
      expect(await asked(999_999_999, forged)).toEqual(await asked(call.id, forged));
      expect(await asked(999_999_999, {})).toEqual(await asked(call.id, {}));
      expect(await asked(999_999_999, {})).toMatchObject({
        status: 401,
        detail: 'Invalid webhook signature',
      });
    });

    test('an invalid id is 404, an invalid body 400, a body of more than 1 MiB 413', async () => {
      const { call } = await ring();
      for (const id of ['0', 'x'])
        expect((await post(`telnyx/events/${id}`, carrierEventBody({ type: 'call.answered' }))).status).toBe(
          404,
        );
      for (const body of ['{', '[]', '{"data":{}}'])
        expect((await post(`telnyx/events/${call.id}`, body)).status).toBe(400);
      expect((await post(`telnyx/events/${call.id}`, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    });

    const long = 'x'.repeat(5000);
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    /** Changes of a field of an event, and what the carrier is told. */
    const extremes: [string, (data: Record<string, unknown>) => Record<string, unknown>, number][] = [
      ...['id', 'event_type'].flatMap((name) =>
        [long, 'ünïcode', ''].map((value): (typeof extremes)[number] => [
          `a ${name} like ${value.slice(0, 8)}`,
          (data) => ({ ...data, [name]: value }),
          400,
        ]),
      ),
      ...['+275760-09-12T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', long].map(
        (value): (typeof extremes)[number] => [
          `a time like ${value.slice(0, 24)}`,
          (data) => ({ ...data, occurred_at: value }),
          400,
        ],
      ),
      ...[long, 'ünïcode', ''].map((value): (typeof extremes)[number] => [
        `a call_control_id like ${value.slice(0, 8)}`,
        ({ payload, ...data }) => ({ ...data, payload: { ...Object(payload), call_control_id: value } }),
        400,
      ]),
      ...[
        'call_leg_id',
        'call_session_id',
        'client_state',
        'connection_id',
        'direction',
        'from',
        'to',
        'hangup_cause',
        'hangup_source',
        'sip_hangup_cause',
        'stream_params',
        'result',
        'digit',
        'stream_url',
        'failure_reason',
        'unknown',
      ].flatMap((name) =>
        [long, 'ünïcode', deep(90), 1e300].map((value): (typeof extremes)[number] => [
          `a ${name} like ${JSON.stringify(value).slice(0, 8)}`,
          ({ payload, ...data }) => ({ ...data, payload: { ...Object(payload), [name]: value } }),
          200,
        ]),
      ),
      ['nesting of 3,000 levels', (data) => ({ ...data, meta: deep(3000) }), 400],
    ];
    // guarantee: long-carrier-event-refused
    test.each(extremes)(
      'an event with %s is never a 5xx, and reaches its call',
      async (_what, change, status) => {
        const { call, controlId } = await ring();
        for (const type of ['call.hangup', 'call.dtmf.received', 'call.machine.detection.ended']) {
          const body: { data: Record<string, unknown> } = JSON.parse(
            carrierEventBody({ type, payload: { call_control_id: controlId, digit: '1' } }),
          );
          const changed = change(body.data);
          const text = JSON.stringify({ ...body, data: changed });
          expect((await post(`telnyx/events/${call.id}`, text)).status).toBe(status);
          if (status === 200) await delivered(String(changed['id']));
          expect((await post('inbound/run', text)).status).toBe(200);
        }
      },
    );

    test.each(extremes)('an incoming call with %s is never a 5xx', async (_what, change) => {
      const body: { data: Record<string, unknown> } = JSON.parse(
        incoming({ call_control_id: randomIds.uuid() }),
      );
      const text = JSON.stringify({ ...body, data: change(body.data) });
      expect((await post('inbound/run', text)).status).toBe(200);
      const to = JSON.stringify({
        ...body,
        data: { ...body.data, payload: { ...Object(body.data['payload']), to: 'ünï' } },
      });
      expect((await post('inbound/run', to)).status).toBe(200);
    });

    test.each(['%E4%BD%A0', 'x'.repeat(5000), '%00', "'%22"])(
      'a result of a transfer by the name %s is refused like an unknown call',
      async (name) => {
        const body = carrierEventBody({ type: 'call.answered' });
        expect((await post(`telnyx/transfer-result/${name}`, body)).status).toBe(401);
      },
    );

    test('events of the leg of a transfer are marked as such, and pending until it is answered', async () => {
      const { call } = await ring();
      const reference = legReference(call.uuid, { role: 'transfer', attempt: 1 });
      const [main] = await findRows(database.db.manager, phoneLegs, { organizationId, callId: call.id });
      await database.db.getRepository(phoneLegs).insert({
        ...main,
        id: undefined,
        role: 'transfer',
        reference,
        callControlId: `t-${call.uuid}`,
        legId: null,
      });
      const event = (type: string) =>
        post(
          `telnyx/transfer-result/${reference}`,
          carrierEventBody({ type, payload: { call_control_id: `t-${call.uuid}` } }),
        );
      expect((await event('call.initiated')).body).toEqual({ status: 'pending' });
      expect((await event('call.answered')).body).toEqual({ status: 'success' });
      await toldOf(2);
      expect(signaled.map(({ event: { role, what } }) => `${role} ${what.kind}`).toSorted()).toEqual([
        'transfer answered',
        'transfer initiated',
      ]);
      expect(
        (await post('telnyx/transfer-result/nobody', carrierEventBody({ type: 'call.answered' }))).status,
      ).toBe(401);
    });

    test('an event of a stream is delivered with the address of the stream, whatever the state of the leg', async () => {
      const { call, controlId } = await ring();
      const payload = {
        call_control_id: controlId,
        stream_url: 'wss://media.example.com/api/v1/telephony/ws/1/2/3/token?generation=2',
      };
      await post(`telnyx/events/${call.id}`, carrierEventBody({ type: 'streaming.stopped', payload }));
      await toldOf(1);
      expect(signaled[0]?.event.what).toEqual({ kind: 'stream_stopped', generation: 2 });
    });
  });

  describe('incoming calls', () => {
    test('a call to a number with an agent starts with the published version', async () => {
      const { call, controlId } = await ring();
      expect(call).toMatchObject({
        agentId,
        direction: 'inbound',
        channel: 'phone',
        mode: 'telnyx',
        source: 'inbound',
        isTest: false,
        state: 'pending',
      });
      expect(call.name).toMatch(/^WR-TEL-IN-\d{8}$/);
      expect(call.initialContext).toMatchObject({
        caller_number: '+4915112345678',
        called_number: number.address,
        direction: 'inbound',
        provider: 'telnyx',
      });
      expect(taken).toHaveLength(1);
      expect(taken[0]?.input).toMatchObject({
        callId: call.id,
        source: 'inbound',
        channel: {
          kind: 'phone',
          direction: 'inbound',
          detectsMachines: false,
          phoneNumberId: number.id,
          ringing: { callControlId: controlId },
        },
      });
      expect(JSON.stringify(taken)).not.toContain('4915112345678');
    });

    test('a repeated notice, even a simultaneous one, makes no second call', async () => {
      const controlId = randomIds.uuid();
      const notices = Array.from({ length: 5 }, () =>
        post('inbound/run', incoming({ call_control_id: controlId })),
      );
      for (const answer of await Promise.all(notices))
        expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(
        await findRows(database.db.manager, phoneLegs, { organizationId, callControlId: controlId }),
      ).toHaveLength(1);
      expect(new Set(taken.map(({ input }) => input.callId)).size).toBe(1);
    });

    test('while Temporal is unavailable the carrier has to retry, and its next notice gets the same call', async () => {
      isTemporalAway = true;
      const body = incoming({ call_control_id: 'away' }, { id: 'away-1' });
      expect((await post('inbound/run', body)).status).toBe(503);
      isTemporalAway = false;
      expect((await post('inbound/run', body)).status).toBe(200);
      const legs = await findRows(database.db.manager, phoneLegs, { organizationId, callControlId: 'away' });
      expect([legs.length, taken.map(({ input }) => input.callId)]).toEqual([1, [legs[0]?.callId]]);
    });

    test('unknown numbers and numbers without an agent are refused with 200 and a reason', async () => {
      for (const payload of [{ to: '+19999999999' }, { connection_id: 'another' }])
        expect((await post('inbound/run', incoming(payload))).body).toMatchObject({
          error: 'TelephonyError.PHONE_NUMBER_NOT_CONFIGURED',
        });
      await updateRows(database.db.manager, phoneNumbers, {
        where: { id: number.id, organizationId },
        change: { inboundAgentId: null },
      });
      const answer = await post('inbound/run', incoming());
      await updateRows(database.db.manager, phoneNumbers, {
        where: { id: number.id, organizationId },
        change: { inboundAgentId: agentId },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          error: 'TelephonyError.PHONE_NUMBER_NOT_CONFIGURED',
          message: expect.stringContaining('inbound_workflow_id'),
        },
      });
    });

    test('a call to an archived agent is refused and rejected at the carrier', async () => {
      const archive = (state: 'active' | 'archived') =>
        updateRows(database.db.manager, agents, {
          where: { id: agentId, organizationId },
          change: { state },
        });
      await archive('archived');
      const answer = await post('inbound/run', incoming({ call_control_id: 'archived' }));
      await archive('active');
      expect([answer.body, rejected]).toMatchObject([
        { error: 'TelephonyError.WORKFLOW_NOT_FOUND' },
        ['archived rejected'],
      ]);
      expect(
        await findRows(database.db.manager, phoneLegs, { organizationId, callControlId: 'archived' }),
      ).toEqual([]);
    });

    test('incoming calls have further places of their own; beyond them a call is rejected as busy', async () => {
      await ring();
      await ring();
      const answer = await post('inbound/run', incoming({ call_control_id: 'third' }));
      expect([answer.status, answer.body, rejected]).toMatchObject([
        200,
        { error: 'TelephonyError.CONCURRENT_CALL_LIMIT' },
        ['third busy'],
      ]);
    });

    test('a notice without a valid signature is 401 and makes no call', async () => {
      const body = incoming({ call_control_id: 'unsigned' });
      expect((await post('inbound/run', body, createSigningCarrier().headers(body))).status).toBe(401);
      expect([
        await findRows(database.db.manager, phoneLegs, { organizationId, callControlId: 'unsigned' }),
        rejected,
      ]).toEqual([[], []]);
    });

    test('an unknown notice gets a hang-up document; an event that is not an incoming call is only acknowledged', async () => {
      const answer = await post('inbound/run', 'CallSid=1');
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([
        200,
        'application/xml',
        expect.stringContaining('<Hangup/>'),
      ]);
      expect((await post('inbound/run', incoming({ direction: 'outgoing' }))).body).toEqual({ status: 'ok' });
      expect(
        (
          await post(
            'inbound/fallback',
            carrierEventBody({ type: 'call.hangup', payload: { call_control_id: 'not ours' } }),
          )
        ).body,
      ).toEqual({ status: 'ok' });
      expect(taken).toEqual([]);
    });

    test('a later event at the same address is delivered to its call', async () => {
      const { call, controlId } = await ring();
      const body = carrierEventBody({
        type: 'call.hangup',
        payload: { call_control_id: controlId, hangup_cause: 'normal_clearing', hangup_source: 'caller' },
      });
      expect((await post(`inbound/${agentId}`, body)).body).toEqual({ status: 'ok' });
      await toldOf(1);
      expect(signaled[0]).toMatchObject({
        callUuid: call.uuid,
        event: { what: { kind: 'hangup', cause: 'normal_clearing', source: 'caller' } },
      });
      expect(at(call.logs, 'inbound_webhook', 'raw_webhook_data', 'data', 'event_type')).toBe(
        'call.initiated',
      );
    });
  });
});
