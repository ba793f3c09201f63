import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ToolDefinition } from '../../src/contract/tools.ts';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { toolRuns } from '../../src/db/tables/tool-runs.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import type { CarrierNews } from '../../src/domain/telephony/carrier-event.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { readCarrierMessage } from '../../src/providers/carrier/telnyx/read-message.ts';
import { createCarrierRegistry } from '../../src/providers/carrier/registry.ts';
import { redeliverEvents, storeEvent } from '../../src/services/telephony/index.ts';
import { createTool } from '../../src/services/agents/index.ts';
import type { VoiceTiming } from '../../src/workflows/call/messages.ts';
import { setPolicy } from '../support/campaign-world.ts';
import { carrierEventBody } from '../support/carrier-webhooks.ts';
import { legOf } from '../support/fake-carrier.ts';
import { answered, createFakeCustomerHttp } from '../support/fake-customer-http.ts';
import { edge, node } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../support/voice-world.ts';

describe('a transfer', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;
  let results: unknown[];
  const http = createFakeCustomerHttp();
  let department: string;
  const llm = createScriptedLlm({ values: () => ({ department }) });

  beforeAll(async () => {
    world = await createVoiceWorld({ llm });
    await world.startWorker({ deps: { http } });
  });
  beforeEach(async () => {
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
    results = [];
    department = 'Sales';
    host = await world.startHost(() => ({}));
  });
  afterEach(async () => await host.stop());
  afterAll(async () => await world.close());

  const makeTool = async (config: Record<string, unknown>) =>
    (
      await createTool({
        ctx: world.base.ctx,
        input: {
          name: `Transfer ${Math.random()}`,
          description: null,
          icon: 'globe',
          iconColor: '#3B82F6',
          definition: ToolDefinition.parse({ type: 'transfer_call', config }),
        },
      })
    ).tool_uuid;

  /** A call whose agent transfers at the first words; `results` has the results for the model. */
  const transferring = async (
    config: Record<string, unknown>,
    {
      values = {},
      after,
      timing,
    }: { values?: Record<string, unknown>; after?: Script; timing?: Partial<VoiceTiming> } = {},
  ): Promise<VoiceCall> => {
    const toolUuid = await makeTool(config);
    const read = {
      extraction_enabled: true,
      extraction_variables: [{ name: 'department', type: 'string', prompt: 'the department' }],
    };
    const definition = {
      nodes: [
        node('start', 'startCall', {
          name: 'Start',
          prompt: 'p',
          greeting: 'Hello.',
          tool_uuids: [toolUuid],
          ...read,
        }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    };
    host.script = (input, signal) => {
      if (input.say.kind === 'line') return {};
      if (input.step.entry.kind === 'opening') return says('I want sales');
      if (input.step.entry.kind === 'utterance' && input.step.turnIndex === 1)
        return {
          toolCalls: [
            { id: 't1', name: 'transfer', argumentsText: JSON.stringify(values), values, toolUuid },
          ],
        };
      results.push(
        ...(input.toolRounds ?? []).flatMap(({ calls }) => calls.map(({ result }) => JSON.parse(result))),
      );
      return after?.(input, signal) ?? { next: { kind: 'time_up' } };
    };
    const call = await world.prepare(definition, {
      row: { initialContext: { called_number: '15551230001', desk: '+1 555 000 0009' } },
      ...(timing === undefined ? {} : { timing }),
    });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'answered' });
    return call;
  };
  const destinationRings = async (call: VoiceCall) =>
    await until('the dial of the destination', () =>
      Promise.resolve(
        world.carrier.requests('dial').find(({ commandId }) => commandId === `${call.callUuid}.t1`),
      ),
    );
  const ofDestination = (call: VoiceCall, what: CarrierNews) =>
    call.carrierReports(what, { role: 'transfer' });
  const hangup = (cause: string): CarrierNews => ({ kind: 'hangup', cause, source: 'callee' });
  const commands = () =>
    world.carrier.sent.map(({ name }) => name).filter((name) => !['findLeg', 'status'].includes(name));

  // guarantee: transfer-waits-for-the-hosts-line
  test('joins both only after the caller has heard what the host says by itself meanwhile', async () => {
    const saying = Promise.withResolvers<void>();
    const asked: unknown[] = [];
    host.finishSpeaking = async (input) => {
      asked.push(input);
      await saying.promise;
    };
    const call = await transferring({ destination: '{{desk}}', timeout: 20 });
    await destinationRings(call);
    await ofDestination(call, { kind: 'answered' });
    await until('the host is asked', () => Promise.resolve(asked.length > 0));
    expect(asked).toEqual([
      { callId: call.callId, organizationId: call.input.organizationId, generation: 1 },
    ]);
    expect(commands()).toEqual(['dial', 'startPlayback', 'dial']);
    saying.resolve();
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await ofDestination(call, hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
  });

  test('joins both even if the host cannot say whether it has finished', async () => {
    host.finishSpeaking = () => Promise.reject(new Error('the host is away'));
    const call = await transferring({ destination: '{{desk}}', timeout: 20 });
    await destinationRings(call);
    await ofDestination(call, { kind: 'answered' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await ofDestination(call, hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
  });

  // guarantee: transferred-caller-not-left-alone
  test('that is answered plays music, joins both in one conference without the agent, and hangs up the caller when the destination leaves', async () => {
    const call = await transferring({ destination: '{{desk}}', timeout: 20 });
    expect(await destinationRings(call)).toMatchObject({
      to: '+15550000009',
      from: '+15557770001',
      stream: null,
      ringTimeoutSeconds: 20,
      timeLimitSeconds: 14_400,
      webhookUrl: expect.stringMatching(
        new RegExp(`/telephony/telnyx/transfer-result/${call.callUuid}\\.t1$`),
      ),
    });
    await ofDestination(call, { kind: 'ringing' });
    await ofDestination(call, { kind: 'answered' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    expect(commands()).toEqual([
      'dial',
      'startPlayback',
      'dial',
      'createConference',
      'stopPlayback',
      'stopStreaming',
      'joinConference',
    ]);
    const [callers, destination] = ['m1#1', 't1'].map((leg) => `v3:${call.callUuid}.${leg}`);
    expect(world.carrier.requests('createConference')[0]).toMatchObject({ callControlId: destination });
    expect(world.carrier.requests('joinConference')[0]).toMatchObject({
      callControlId: callers,
      conferenceId: 'conference-1',
      endsConference: true,
    });
    expect(world.carrier.requests('dial')[0]).toMatchObject({ timeLimitSeconds: 14_400 });
    expect((await call.row()).state).not.toBe('ended');
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    await ofDestination(call, hangup('normal_clearing'));
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'transfer_call', tags: ['transfer_call', 'user_speech'] });
    expect(world.carrier.requests('hangUp')).toEqual([expect.objectContaining({ callControlId: callers })]);
    expect(results).toEqual([]);
    const [, second] = await world.base.ctx.db
      .getRepository(turns)
      .find({ where: { callId: call.callId }, order: { turnIndex: 'ASC' } });
    expect(JSON.parse(second?.toolRounds?.[0]?.calls[0]?.result ?? '{}')).toMatchObject({
      status: 'transfer_success',
    });
    expect(
      await world.base.ctx.db
        .getRepository(phoneLegs)
        .find({ where: { callId: call.callId }, order: { id: 'ASC' } }),
    ).toMatchObject([
      { role: 'main', state: 'ended' },
      { role: 'transfer', state: 'ended', hangupCause: 'normal_clearing' },
    ]);
  });

  /** A call whose agent has asked something, and which a supervisor then wants to transfer. */
  const supervised = async (): Promise<VoiceCall> => {
    host.script = (input) =>
      input.say.kind === 'reply' && input.step.entry.kind === 'opening'
        ? new Promise(() => undefined)
        : input.listens
          ? { next: { kind: 'time_up' } }
          : {};
    const call = await world.prepare({
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'p', greeting: 'Hello.' }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    });
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'answered' });
    await until('the agent speaks', () => Promise.resolve(host.steps.length > 0));
    const requestId = randomUUID();
    const now = new Date();
    await world.base.ctx.db.getRepository(toolRuns).insert({
      organizationId: call.input.organizationId,
      callId: call.callId,
      branch: 0,
      turnIndex: 0,
      callIndex: 2 ** 31,
      requestSha256: 'a'.repeat(64),
      toolUuid: requestId,
      state: 'finished',
      result: JSON.stringify({ destination: '+15550000009', custom_message: null }),
      startedAt: now,
      finishedAt: now,
    });
    await world.starter.intervene({
      callUuid: call.callUuid,
      intervention: { kind: 'transfer', requestId, timeoutSeconds: 25 },
      updateId: randomUUID(),
    });
    return call;
  };

  test('that a supervisor asks for joins the caller and the destination as any other', async () => {
    const call = await supervised();
    expect(await destinationRings(call)).toMatchObject({ to: '+15550000009', ringTimeoutSeconds: 25 });
    await ofDestination(call, { kind: 'answered' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await ofDestination(call, hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
  });

  // guarantee: failed-transfer-goes-on
  test('that a supervisor asks for and that fails lets the agent go on, which knows why', async () => {
    const call = await supervised();
    await destinationRings(call);
    const before = host.steps.length;
    await ofDestination(call, hangup('user_busy'));
    await until('the agent goes on', () => Promise.resolve(host.steps.length > before));
    expect(host.steps[before]).toMatchObject({
      say: { kind: 'reply' },
      notes: [{ text: expect.stringContaining('The destination is busy.') }],
    });
    await call.ended();
  });

  // guarantee: destination-asked-after-quiet
  test('whose destination leaves without an event of the carrier hangs up the caller', async () => {
    const call = await transferring(
      { destination: '{{desk}}', timeout: 20 },
      { timing: { carrierQuietMs: 700, carrierPollMs: 300 } },
    );
    const [callers, destination] = ['m1#1', 't1'].map((leg) => `v3:${call.callUuid}.${leg}`);
    await destinationRings(call);
    await ofDestination(call, { kind: 'answered' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    const endedAt = new Date().toISOString();
    world.carrier.answers.status = (callControlId) =>
      Promise.resolve(callControlId === destination ? { isAlive: false, endedAt } : { isAlive: true });
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
    expect(world.carrier.requests('hangUp')).toEqual([expect.objectContaining({ callControlId: callers })]);
  });

  test('hangs up the destination when the caller leaves', async () => {
    const call = await transferring({ destination: '+15550000001' });
    await destinationRings(call);
    await ofDestination(call, { kind: 'answered' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await call.carrierReports(hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
    expect(world.carrier.requests('hangUp')).toEqual([
      expect.objectContaining({ callControlId: `v3:${call.callUuid}.t1` }),
    ]);
  });

  test.each([
    ['user_busy', 'busy'],
    ['no_answer', 'no_answer'],
    ['timeout', 'timeout'],
    ['call_rejected', 'call_failed'],
    ['never_seen', 'call_failed'],
  ])(
    'that is not answered (%s) stops the music, returns %s to the model, and the conversation continues',
    async (cause, reason) => {
      const call = await transferring({ destination: '+15550000001' });
      await destinationRings(call);
      await ofDestination(call, hangup(cause));
      expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
      expect(results).toEqual([{ status: 'transfer_failed', reason, message: expect.any(String) }]);
      expect(commands()).toEqual(['dial', 'startPlayback', 'dial', 'stopPlayback', 'hangUp']);
    },
  );

  // guarantee: unheard-answer-of-destination-joins
  test('whose destination lives longer than it may ring was answered, and is joined without the event', async () => {
    const call = await transferring({ destination: '+15550000001', timeout: 5 });
    await destinationRings(call);
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await ofDestination(call, hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'transfer_call' });
  });

  test('without events ends after its timeout and hangs up the destination', async () => {
    world.carrier.answers.status = () => Promise.resolve({ isAlive: false });
    const call = await transferring({ destination: '+15550000001', timeout: 5 });
    await destinationRings(call);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(results).toMatchObject([{ reason: 'timeout' }]);
    expect(world.carrier.requests('hangUp')[0]).toMatchObject({ callControlId: `v3:${call.callUuid}.t1` });
  });

  test.each([
    ['no destination', { destination: '' }, undefined, 'no_destination'],
    ['a destination that cannot be dialed', { destination: 'the front desk' }, undefined, 'no_destination'],
    [
      'a carrier that refuses',
      { destination: '+15550000001' },
      new CarrierError('refused', { outcome: 'refused', reason: 'client_error' }),
      'provider_error',
    ],
  ])('with %s is a result for the model', async (_, config, failure, reason) => {
    if (failure !== undefined) {
      const dial = world.carrier.answers;
      dial.dial = (request) =>
        request.commandId.endsWith('.t1')
          ? Promise.reject(failure)
          : Promise.resolve({
              callControlId: `v3:${request.clientState}`,
              legId: `l-${request.clientState}`,
              sessionId: 's',
            });
    }
    const call = await transferring(config);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(results).toMatchObject([{ status: 'transfer_failed', reason }]);
  });

  test('whose dial was lost but rings continues the conversation without it, and hangs up a late answer once', async () => {
    const { ctx } = world.base;
    world.carrier.answers = {
      dial: ({ clientState }) =>
        clientState.includes('.t1')
          ? Promise.reject(new CarrierError('no answer', { outcome: 'unknown', reason: 'timeout' }))
          : Promise.resolve(legOf(world.carrier.legs, clientState)),
      findLeg: () => Promise.resolve(null),
    };
    const talking = Promise.withResolvers<void>();
    const call = await transferring(
      { destination: '+15550000004' },
      { after: async () => (await talking.promise, { next: { kind: 'time_up' } }) },
    );
    await until('the result', () => Promise.resolve(results.length > 0));
    expect(results).toMatchObject([{ reason: 'provider_error' }]);
    const signals: unknown[] = [];
    const deps = {
      ...ctx,
      accounts: () => world.carrier,
      webhooks: createCarrierRegistry().webhooks,
      calls: {
        signalCarrierEvent: (...event: unknown[]) =>
          Promise.resolve((signals.push(event), 'delivered' as const)),
      },
    };
    for (const type of ['call.initiated', 'call.answered']) {
      const raw = Buffer.from(
        carrierEventBody({
          type,
          payload: {
            call_control_id: 'v3:late',
            client_state: Buffer.from(`${call.callUuid}.t1`).toString('base64'),
          },
        }),
      );
      const message = readCarrierMessage(raw);
      if (message === null) throw new Error('no event');
      await inTransaction(ctx.db, (tx) =>
        storeEvent(tx, deps, { organizationId: ctx.organizationId, callId: call.callId, message, raw }),
      );
    }
    await redeliverEvents(
      { ...deps, clock: { now: () => new Date(Date.now() + 2000) } },
      new AbortController().signal,
    );
    expect([world.carrier.requests('hangUp').map(({ callControlId }) => callControlId), signals]).toEqual([
      ['v3:late'],
      [],
    ]);
    talking.resolve();
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
  });

  test('that cannot be joined hangs up the destination and continues the conversation with a new stream', async () => {
    world.carrier.answers.createConference = () =>
      Promise.reject(new CarrierError('no', { outcome: 'refused', reason: 'client_error' }));
    const call = await transferring({ destination: '+15550000001' });
    await destinationRings(call);
    await ofDestination(call, { kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(results).toMatchObject([{ reason: 'conference_create_failed' }]);
    expect(world.carrier.requests('hangUp').map(({ callControlId }) => callControlId)).toContain(
      `v3:${call.callUuid}.t1`,
    );
  });

  test('hangs up the destination when the caller hangs up while it rings', async () => {
    const call = await transferring({ destination: '+15550000001' });
    await destinationRings(call);
    await call.carrierReports(hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
    expect(world.carrier.requests('hangUp')).toEqual([
      expect.objectContaining({ callControlId: `v3:${call.callUuid}.t1` }),
    ]);
  });

  test('that fails after its host was lost continues the conversation at another host', async () => {
    const call = await transferring({ destination: '+15550000001' });
    await destinationRings(call);
    await host.fill();
    const second = await world.startHost(({ say, toolRounds }) => {
      results.push(
        ...(toolRounds ?? []).flatMap(({ calls }) => calls.map(({ result }) => JSON.parse(result))),
      );
      return say.kind === 'goodbye' ? {} : { next: { kind: 'time_up' } };
    });
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await ofDestination(call, hangup('user_busy'));
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(results).toMatchObject([{ reason: 'busy' }]);
    expect(second.steps[0]).toMatchObject({ say: { kind: 'reply' }, generation: 2 });
    await second.stop();
  });

  test('by extracted values extracts them first, the last words included', async () => {
    const call = await transferring({
      destination_source: 'context_mapping',
      context_mapping: {
        rules: [
          { context_path: 'department', routes: [{ context_value: 'sales', destination: '+15550000002' }] },
        ],
        fallback_destination: '+15550000003',
      },
    });
    expect(await destinationRings(call)).toMatchObject({ to: '+15550000002' });
    expect(JSON.stringify(llm.requests.at(-1)?.messages)).toContain('I want sales');
    await ofDestination(call, hangup('user_busy'));
    await call.ended();
  });

  test('by a resolver asks it once, speaks its message, and keeps its number out of the history', async () => {
    http.requests.length = 0;
    http.answerWith(() =>
      Promise.resolve({
        kind: 'answered',
        statusCode: 200,
        headers: {},
        bodyText: '{"transfer_context":{"destination":"+15550000004","custom_message":"One moment."}}',
        truncated: false,
      }),
    );
    const call = await transferring(
      {
        destination_source: 'dynamic',
        allowed_destinations: ['+1555000*'],
        resolver: {
          url: 'https://desk.test/route',
          parameters: [{ name: 'topic', type: 'string', description: 'What' }],
        },
      },
      { values: { topic: 'sales', admin: true } },
    );
    expect(await destinationRings(call)).toMatchObject({ to: '+15550000004' });
    expect(http.requests).toMatchObject([
      { method: 'POST', url: 'https://desk.test/route', body: '{"topic":"sales"}', timeoutMs: 3000 },
    ]);
    expect(host.steps.at(-1)).toMatchObject({ say: { kind: 'line', text: 'One moment.' }, listens: false });
    await ofDestination(call, hangup('user_busy'));
    await call.ended();
    const history = await world.base.temporal.client.workflow
      .getHandle(`call/${call.callUuid}`)
      .fetchHistory();
    const payloads = (history.events ?? []).flatMap((event) =>
      JSON.stringify(event, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      ),
    );
    expect(payloads.join('\n')).not.toMatch(/15550000004|15551230001|15557770001/);
  });

  // guarantee: dynamic-transfer-goes-to-listed
  test.each([
    ['the model', {}, { destination: '+12125550190' }],
    ['the model, as a SIP address', {}, { destination: 'sip:desk@evil.example' }],
    ['a resolver', { resolver: { url: 'https://desk.test/route' } }, {}],
    [
      'a value of the conversation',
      {
        destination_source: 'context_mapping',
        context_mapping: { rules: [], fallback_destination: '{{gathered_context.department}}' },
      },
      {},
    ],
  ])(
    'whose destination %s chooses beside the list rings nowhere, and the model is told',
    async (_, config, values) => {
      await setPolicy(world.base.ctx, { sipHosts: ['evil.example'] }); // only the list of the tool is in the way
      department = '+12125550190';
      http.answerWith(answered(200, {}, '{"transfer_context":{"destination":"+12125550190"}}'));
      const parameters = [{ name: 'destination', type: 'string', description: 'Where' }];
      const call = await transferring(
        {
          destination_source: 'dynamic',
          allowed_destinations: ['+1555*', 'sip:*@pbx.test'],
          parameters,
          ...config,
        },
        { values },
      );
      await call.ended();
      expect(results).toMatchObject([{ status: 'transfer_failed', reason: 'destination_not_allowed' }]);
      expect(world.carrier.requests('dial')).toHaveLength(1);
    },
  );

  test('whose destination the model chooses from the list rings there, if the organization dials its host', async () => {
    await setPolicy(world.base.ctx, { sipHosts: ['pbx.test'] });
    const call = await transferring(
      {
        destination_source: 'dynamic',
        allowed_destinations: ['sip:*@pbx.test'],
        parameters: [{ name: 'destination', type: 'string', description: 'Where' }],
      },
      { values: { destination: 'sip:desk@pbx.test' } },
    );
    expect(await destinationRings(call)).toMatchObject({ to: 'sip:desk@pbx.test' });
    await ofDestination(call, hangup('user_busy'));
    await call.ended();
  });

  test.each([
    [
      '500',
      { kind: 'answered' as const, statusCode: 500, headers: {}, bodyText: '', truncated: false },
      'resolver_error',
    ],
    [
      'something unusable',
      { kind: 'answered' as const, statusCode: 200, headers: {}, bodyText: '{}', truncated: false },
      'resolver_invalid_response',
    ],
    [
      'too late',
      { kind: 'failed' as const, reason: 'timeout' as const, message: 'no answer in time' },
      'resolver_timeout',
    ],
  ])('by a resolver that answers %s is a result for the model', async (_, outcome, reason) => {
    http.answerWith(() => Promise.resolve(outcome));
    const call = await transferring({
      destination_source: 'dynamic',
      resolver: { url: 'https://desk.test/route' },
    });
    await call.ended();
    expect(results).toMatchObject([{ reason }]);
    expect(world.carrier.requests('dial')).toHaveLength(1);
  });
});
