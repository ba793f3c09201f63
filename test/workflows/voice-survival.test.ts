import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { ToolDefinition } from '../../src/contract/tools.ts';
import { timeoutsMs } from '../../src/domain/declaration.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { createFakeCustomerHttp } from '../support/fake-customer-http.ts';
import { edge, node, threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { createGate } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';
import {
  createVoiceWorld,
  type VoiceCall,
  type VoiceChanges,
  type VoiceWorld,
} from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const longer = 90_000;
const never: Script = () => new Promise(() => undefined);
/** The script of a host that takes over a call: it ends the call. */
const finishing: Script = ({ say }) => (say.kind === 'goodbye' ? {} : { next: { kind: 'time_up' } });

describe('a call whose media host is lost', () => {
  let world: VoiceWorld;
  let hosts: FakeMediaHost[];
  const http = createFakeCustomerHttp();

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker({ deps: { http } });
  });
  beforeEach(() => {
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
    hosts = [];
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
  });
  afterAll(async () => await world.close());

  const startHost = async (script: Script): Promise<FakeMediaHost> => {
    const host = await world.startHost(script);
    hosts.push(host);
    return host;
  };
  const answered = async (definition = plain, changes: VoiceChanges = {}): Promise<VoiceCall> => {
    const call = await world.prepare(definition, changes);
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'answered' });
    await call.carrierReports({ kind: 'stream_started', generation: 1 });
    return call;
  };
  const asked = async (host: FakeMediaHost, count: number): Promise<void> => {
    await until(`step ${count}`, () => Promise.resolve(host.steps.length >= count));
  };
  const commands = (...names: string[]) =>
    world.carrier.sent.map(({ name }) => name).filter((name) => names.includes(name));
  const generationOf = async ({ callId }: VoiceCall) =>
    (await world.base.ctx.db.getRepository(callSeats).findOneByOrFail({ callId })).generation;
  /** How often the call has asked for a seat, also where no host has heard it. */
  const requestedSeats = async ({ callUuid }: VoiceCall) => {
    const { workflow } = world.base.temporal.client;
    const { events } = await workflow.getHandle(callWorkflowId(callUuid)).fetchHistory();
    return (events ?? []).filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'claimSeat',
    ).length;
  };

  // guarantee: call-resumes-at-another-host
  test('in a step, noticed only by its silence, moves the stream and continues the step once', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.kill();
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(
      second.steps.map(({ say, generation, step }) => [
        say.kind,
        generation,
        step.turnIndex,
        step.entry.kind,
      ]),
    ).toEqual([
      ['resume', 2, 0, 'opening'],
      ['goodbye', 2, 1, 'closing'],
    ]);
    expect(second.steps[0]?.say).toEqual({ kind: 'resume' });
    expect(commands('stopStreaming', 'startStreaming')).toEqual(['stopStreaming', 'startStreaming']);
    expect(world.carrier.requests('startStreaming')[0]).toMatchObject({
      clientState: `${call.callUuid}.m1#2`,
      stream: { url: expect.stringContaining(second.hostId.slice(0, 8)) },
    });
    expect(await generationOf(call)).toBe(2);
  });

  test('and reported as lost continues without waiting', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await asked(second, 1);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
  });

  test('and whose stream the carrier reports as stopped continues', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await call.carrierReports({ kind: 'stream_failed', generation: 1, reason: 'connection_failed' });
    await asked(second, 1);
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect([first.steps.length, second.steps.length]).toEqual([1, 2]);
  });

  // guarantee: stopped-stream-checks-leg-at-once
  test('continues as soon as the carrier, asked after the stream stopped, says that the leg lives', async () => {
    const first = await startHost(never);
    const call = await answered(plain, { timing: { legStatusTimeoutMs: longer } });
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]?.say).toEqual({ kind: 'resume' });
    expect(world.carrier.requests('status')).toHaveLength(1);
  });

  // guarantee: dead-leg-ends-call
  test('ends without another host when the carrier says that the leg has ended, too', async () => {
    const first = await startHost(never);
    world.carrier.answers.status = () => Promise.resolve({ isAlive: false });
    const call = await answered(plain, { timing: { legStatusTimeoutMs: longer } });
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
    expect(second.claims).toEqual([]);
  });

  test('continues when the carrier does not say whether the leg lives', async () => {
    const first = await startHost(never);
    world.carrier.answers.status = () => new Promise(() => undefined);
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    await asked(second, 1);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
  });

  // guarantee: older-generation-ignored
  test('ignores messages about an older generation', async () => {
    const gate = createGate();
    const host = await startHost(async ({ say }) => {
      if (say.kind === 'goodbye') return {};
      await gate.wait();
      return { next: { kind: 'time_up' } };
    });
    const call = await answered();
    await gate.reached;
    await call.carrierReports({ kind: 'stream_stopped', generation: 0 });
    await world.starter.seatLost(call.callUuid, { generation: 0 });
    await call.carrierReports({ kind: 'stream_stopped', generation: null });
    gate.open();
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(host.steps.map(({ generation }) => generation)).toEqual([1, 1]);
    expect(commands('startStreaming')).toEqual([]);
  });

  // guarantee: ringing-call-gets-new-host
  test('while the phone rings has another host when it is answered', async () => {
    const first = await startHost(never);
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await until('the second seat', async () => (await generationOf(call)) > 1);
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]).toMatchObject({ say: { kind: 'reply' }, step: { entry: { kind: 'opening' } } });
    expect(first.steps).toEqual([]);
    expect(commands('startStreaming')).toEqual(['startStreaming']);
    expect(world.carrier.requests('dial')).toHaveLength(1);
  });

  // guarantee: missing-stream-requested-after-answer
  test('while the phone rings requests the stream until it begins when the answer event is lost, and talks to the callee', async () => {
    const first = await startHost(never);
    const call = await world.prepare(plain, { timing: { answerLookMs: 300 } });
    world.carrier.answers.startStreaming = () =>
      Promise.reject(
        new CarrierError('not answered yet', { outcome: 'not_answered', reason: 'client_error' }),
      );
    await world.starter.startPhoneCall(call.input);
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await until('the carrier has refused twice, because it rings', () =>
      Promise.resolve(commands('startStreaming').length >= 2),
    );
    world.carrier.answers.startStreaming = async () => {
      await world.base.ctx.db
        .getRepository(callSeats)
        .update(
          { callId: call.callId, organizationId: world.base.ctx.organizationId },
          { mediaBeganAt: new Date() },
        );
      return 'started';
    };
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]).toMatchObject({ say: { kind: 'reply' }, step: { entry: { kind: 'opening' } } });
    expect(world.carrier.requests('dial')).toHaveLength(1);
  });

  test('between two steps, during a tool, does not repeat the tool and does not mention the loss', async () => {
    const gate = createGate();
    http.requests.length = 0;
    http.answerWith(async () => {
      await gate.wait();
      return { kind: 'answered', statusCode: 200, headers: {}, bodyText: '"done"', truncated: false };
    });
    const tool = await createTool({
      ctx: world.base.ctx,
      input: {
        name: `Order ${Math.random()}`,
        description: null,
        icon: 'globe',
        iconColor: '#3B82F6',
        definition: ToolDefinition.parse({
          type: 'http_api',
          config: { method: 'POST', url: 'https://shop.test/orders' },
        }),
      },
    });
    const definition = {
      nodes: [
        node('start', 'startCall', {
          name: 'Start',
          prompt: 'p',
          greeting: 'Hello.',
          tool_uuids: [tool.tool_uuid],
        }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    };
    const first = await startHost(({ step }) =>
      step.entry.kind === 'opening'
        ? says('order')
        : {
            toolCalls: [
              { id: 't1', name: 'order', argumentsText: '{}', values: {}, toolUuid: tool.tool_uuid },
            ],
          },
    );
    const call = await answered(definition);
    await gate.reached;
    const second = await startHost(finishing);
    await first.kill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    gate.open();
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(http.requests).toHaveLength(1);
    expect(second.steps[0]).toMatchObject({
      say: { kind: 'reply' },
      generation: 2,
      step: { entry: { kind: 'tools' }, turnIndex: 1 },
      pendingLines: [{ text: 'order' }, { text: 'reply at start' }],
      toolRounds: [{ calls: [{ name: 'order' }] }],
    });
    expect(await world.base.ctx.db.getRepository(turns).countBy({ callId: call.callId })).toBe(3);
  });

  test('before the next step speaks the whole step at the next host', async () => {
    const first = await startHost(async ({ step }) => {
      if (step.entry.kind !== 'opening') return await new Promise<never>(() => undefined);
      setTimeout(() => void first.kill(), 0);
      return says('hello');
    });
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]).toMatchObject({
      step: { turnIndex: 1, entry: { kind: 'utterance' } },
      pendingLines: [{ text: 'hello' }],
    });
  });

  test('at the goodbye speaks it at the next host and keeps the disposition', async () => {
    const first = await startHost(async ({ say }) =>
      say.kind === 'goodbye' ? await new Promise<never>(() => undefined) : { next: { kind: 'time_up' } },
    );
    const call = await answered();
    await asked(first, 2);
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps.map(({ say }) => say.kind)).toEqual(['resume']);
  });

  test('twice in a row continues at the third host', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    await first.fill();
    const second = await startHost(never);
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await asked(second, 1);
    await second.fill();
    const third = await startHost(finishing);
    await world.starter.seatLost(call.callUuid, { generation: second.steps[0]?.generation ?? 0 });
    await asked(third, 1);
    expect(third.steps[0]?.say).toEqual({ kind: 'resume' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
  });

  // guarantee: moved-step-resumes-in-order
  test('in order, for a deployment, continues the step at another host without a recovery line, and counts the usage of both', async () => {
    const first = await startHost(() => ({ next: { kind: 'moving' } }));
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await first.fill();
    const second = await startHost(finishing);
    await call.carrierReports({ kind: 'answered' });
    const row = await call.ended();
    expect(second.steps[0]?.say).toEqual({ kind: 'resume', inOrder: true });
    expect(row.usage).toMatchObject({ tts: { 'fake|||voice': 36 } });
  });

  test('continues at the host that a full host names', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await second.fill();
    [first.isFull, first.elsewhere] = [true, second.hostQueue];
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await asked(second, 1);
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]).toMatchObject({ say: { kind: 'resume' }, generation: 3 });
  });

  test('requests the stream again while the carrier still has the old one', async () => {
    const first = await startHost(never);
    let busy = 2;
    world.carrier.answers.startStreaming = () => {
      busy -= 1;
      return Promise.resolve(busy >= 0 ? 'busy' : 'started');
    };
    const call = await answered();
    await asked(first, 1);
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(commands('startStreaming')).toHaveLength(3);
    expect(second.steps[0]?.say).toEqual({ kind: 'resume' });
  });

  test('ends with the disposition of the carrier when the leg has ended, too', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    world.carrier.answers.stopStreaming = () => Promise.resolve('over');
    const second = await startHost(finishing);
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
    expect(second.steps).toEqual([]);
  });

  test('and not replaced for some time keeps its leg, says nothing at the carrier, and continues the step at the first new host', async () => {
    const first = await startHost(never);
    const call = await answered(plain, { timing: { mediaResumeMs: timeoutsMs.mediaResume } });
    await asked(first, 1);
    await first.kill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    const endOfLeg = () => commands('speak', 'hangUp');
    await until(
      'a second request after one in vain, or an end without it',
      async () => endOfLeg().length > 0 || (await requestedSeats(call)) >= 3,
    );
    expect(endOfLeg()).toEqual([]);
    let endBeforeResume: string[] | undefined;
    const second = await startHost((input, signal) => {
      endBeforeResume ??= endOfLeg();
      return finishing(input, signal);
    });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(endBeforeResume).toEqual([]);
    expect(second.steps.map(({ say, step }) => [say.kind, step.turnIndex, step.entry.kind])).toEqual([
      ['resume', 0, 'opening'],
      ['goodbye', 1, 'closing'],
    ]);
    expect(second.steps[0]?.say).toEqual({ kind: 'resume' });
    expect(second.steps[0]?.generation).toBeGreaterThan(2);
    const { lines } = await world.base.ctx.db
      .getRepository(turns)
      .findOneByOrFail({ callId: call.callId, turnIndex: 0 });
    expect(lines).toMatchObject([{ text: 'resume at start' }]);
    expect(endOfLeg()).toEqual(['hangUp']);
  });

  // guarantee: call-without-host-apologizes
  test('and not replaced lets the carrier apologize and hang up, and allows another attempt', async () => {
    const first = await startHost(never);
    const call = await answered();
    await asked(first, 1);
    await first.fill();
    const lostAt = Date.now();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await until('the apology', () => Promise.resolve(world.carrier.requests('speak').length > 0));
    expect(Date.now() - lostAt).toBeGreaterThan(5500);
    await call.carrierReports({ kind: 'speak_ended' });
    expect(await call.ended()).toMatchObject({ disposition: 'pipeline_error', tags: ['pipeline_error'] });
    expect(await call.result()).toMatchObject({ retryClass: 'provider' });
    expect(commands('speak', 'hangUp')).toEqual(['speak', 'hangUp']);
  });

  test('continues at another host when its stream ended but the leg lives', async () => {
    const first = await startHost(() => ({ next: { kind: 'gone' }, lines: [] }));
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await first.fill();
    const second = await startHost(finishing);
    await call.carrierReports({ kind: 'answered' });
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(second.steps[0]?.say).toEqual({ kind: 'resume' });
    expect(world.carrier.requests('status')).toHaveLength(1);
  });

  test('drops a late answer of the old host', async () => {
    const gate = createGate();
    const first = await startHost(async () => {
      await gate.wait();
      return says('from the grave');
    });
    const call = await answered();
    await gate.reached;
    const second = await startHost(async ({ say }) => {
      gate.open();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return say.kind === 'goodbye' ? {} : { next: { kind: 'time_up' } };
    });
    await first.fill();
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    expect(await call.ended()).toMatchObject({ tags: ['call_duration_exceeded'] });
    expect(second.steps).toHaveLength(2);
  });
});
