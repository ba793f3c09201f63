import { ToolDefinition } from '../../src/contract/tools.ts';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { edge, node, threeStepDefinition } from '../../test/support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../../test/support/fake-media-host.ts';
import { legOf } from '../../test/support/fake-carrier.ts';
import { until } from '../../test/support/until.ts';
import {
  createVoiceWorld,
  type VoiceCall,
  type VoiceChanges,
  type VoiceWorld,
} from '../../test/support/voice-world.ts';
import type { Recording } from './recording.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const never: Script = () => new Promise(() => undefined);
const finishing: Script = ({ say }) => (say.kind === 'goodbye' ? {} : { next: { kind: 'time_up' } });

/** Runs a scenario of a spoken call with one worker and one host, which has no script yet. */
type Play = (world: VoiceWorld, host: FakeMediaHost) => Promise<VoiceCall>;

async function answered(
  world: VoiceWorld,
  definition = plain,
  changes: VoiceChanges = {},
): Promise<VoiceCall> {
  const call = await world.prepare(definition, changes);
  await world.starter.startPhoneCall(call.input);
  await call.carrierReports({ kind: 'answered' });
  await call.carrierReports({ kind: 'stream_started', generation: 1 });
  return call;
}

const asked = async (host: FakeMediaHost) =>
  await until('a step', () => Promise.resolve(host.steps.length > 0));

async function transferring(world: VoiceWorld, host: FakeMediaHost): Promise<VoiceCall> {
  const { tool_uuid: toolUuid } = await createTool({
    ctx: world.base.ctx,
    input: {
      name: 'Transfer',
      description: null,
      icon: 'globe',
      iconColor: '#3B82F6',
      definition: ToolDefinition.parse({ type: 'transfer_call', config: { destination: '+15550000001' } }),
    },
  });
  const definition = {
    nodes: [
      node('start', 'startCall', { name: 'Start', prompt: 'p', greeting: 'Hello.', tool_uuids: [toolUuid] }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
    ],
    edges: [edge('e1', 'start', 'bye', 'done')],
  };
  host.script = (input, signal) => {
    if (input.step.entry.kind === 'opening') return says('a person please');
    return input.step.entry.kind === 'utterance'
      ? { toolCalls: [{ id: 't1', name: 'transfer', argumentsText: '{}', values: {}, toolUuid }] }
      : finishing(input, signal);
  };
  const call = await answered(world, definition);
  await until('the dial of the destination', () =>
    Promise.resolve(world.carrier.requests('dial').length > 1),
  );
  return call;
}

const scenarios: Record<string, Play> = {
  async 'nodes-extraction-webhook'(world, host) {
    host.script = ({ step }) => {
      if (step.entry.kind === 'opening') return says('go on please');
      if (step.nodeId === 'start') return { chosenEdge: 'e1', lines: [] };
      if (step.nodeId === 'ask')
        return step.entry.kind === 'edge' ? says('Monday') : { chosenEdge: 'e2', lines: [] };
      return {};
    };
    return await answered(world, threeStepDefinition());
  },
  async busy(world) {
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await call.carrierReports({ kind: 'hangup', cause: 'user_busy', source: 'callee' });
    return call;
  },
  async 'refused-dial'(world) {
    world.carrier.answers.dial = () =>
      Promise.reject(new CarrierError('refused', { outcome: 'refused', reason: 'client_error' }));
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    return call;
  },
  async 'lost-answer-found'(world, host) {
    host.script = finishing;
    world.carrier.answers.dial = ({ clientState }) => {
      legOf(world.carrier.legs, clientState);
      return Promise.reject(new CarrierError('no answer', { outcome: 'unknown', reason: 'timeout' }));
    };
    return await answered(world);
  },
  async 'answer-known-by-its-stream'(world, host) {
    host.script = finishing;
    const call = await world.prepare(plain, { timing: { answerLookMs: 300 } });
    await world.starter.startPhoneCall(call.input);
    await world.base.ctx.db
      .getRepository(callSeats)
      .update({ callId: call.callId }, { mediaBeganAt: new Date() });
    return call;
  },
  async 'hung-up-in-a-step'(world, host) {
    host.script = never;
    const call = await answered(world);
    await asked(host);
    await call.carrierReports({ kind: 'hangup', cause: 'normal_clearing', source: 'callee' });
    return call;
  },
  async 'silence-then-goodbye'(world, host) {
    host.script = ({ say }) => (say.kind === 'goodbye' ? {} : { next: { kind: 'silence' } });
    return await answered(world);
  },
  async 'three-faults'(world, host) {
    host.script = ({ say }) =>
      say.kind === 'goodbye' ? {} : { next: { kind: 'fault', stage: 'llm', message: 'no answer in time' } };
    return await answered(world);
  },
  async 'cut-off-at-the-limit'(world, host) {
    host.script = never;
    return await answered(world, plain, { channel: { maxDurationMs: 1500 } });
  },
  async 'message-for-a-machine'(world, host) {
    host.script = ({ say }) => (say.kind === 'voicemail_message' ? {} : new Promise(() => undefined));
    const call = await answered(world, plain, { channel: { detectsMachines: true, leavesMessage: true } });
    await asked(host);
    await call.carrierReports({ kind: 'detection', result: 'machine' });
    await call.carrierReports({ kind: 'machine_greeting_ended', result: 'beep_detected' });
    return call;
  },
  async 'host-lost-in-a-step'(world, host) {
    host.script = never;
    const call = await answered(world);
    await asked(host);
    await world.startHost(finishing);
    await host.kill();
    return call;
  },
  async 'stream-lost-in-a-step'(world, host) {
    host.script = never;
    const call = await answered(world);
    await asked(host);
    await host.fill();
    await world.startHost(finishing);
    await call.carrierReports({ kind: 'stream_stopped', generation: 1 });
    return call;
  },
  async 'host-lost-while-it-rings'(world, host) {
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await host.fill();
    await world.startHost(finishing);
    await world.starter.seatLost(call.callUuid, { generation: 1 });
    await call.carrierReports({ kind: 'answered' });
    return call;
  },
  async 'moved-in-order'(world, host) {
    host.script = () => ({ next: { kind: 'moving' } });
    const call = await world.prepare(plain);
    await world.starter.startPhoneCall(call.input);
    await host.fill();
    await world.startHost(finishing);
    await call.carrierReports({ kind: 'answered' });
    return call;
  },
  async 'no-host-any-more'(world, host) {
    host.script = never;
    const call = await answered(world);
    await asked(host);
    await host.kill();
    await until('the apology', () => Promise.resolve(world.carrier.requests('speak').length > 0));
    await call.carrierReports({ kind: 'speak_ended' });
    return call;
  },
  async transferred(world, host) {
    const call = await transferring(world, host);
    await call.carrierReports({ kind: 'answered' }, { role: 'transfer' });
    await until('the join', () => Promise.resolve(world.carrier.requests('joinConference').length > 0));
    await call.carrierReports(
      { kind: 'hangup', cause: 'normal_clearing', source: 'callee' },
      { role: 'transfer' },
    );
    return call;
  },
  async 'transfer-not-answered'(world, host) {
    const call = await transferring(world, host);
    await call.carrierReports({ kind: 'hangup', cause: 'user_busy', source: 'callee' }, { role: 'transfer' });
    return call;
  },
  async canceled(world, host) {
    host.script = never;
    const call = await answered(world);
    await asked(host);
    await world.base.temporal.client.workflow.getHandle(callWorkflowId(call.callUuid)).cancel();
    return call;
  },
  async incoming(world, host) {
    host.script = finishing;
    const ringing = { callControlId: 'in-1', legId: 'leg-in', sessionId: 'session-in' };
    const call = await world.prepare(plain, {
      channel: { direction: 'inbound', ringing },
      row: { direction: 'inbound', source: 'inbound' },
    });
    await world.starter.takeInbound(call.input, 'event-1');
    return call;
  },
  async 'in-a-browser'(world, host) {
    host.script = ({ step }) => (step.entry.kind === 'opening' ? says('hello') : { next: { kind: 'gone' } });
    const call = await world.prepare(plain, {
      channel: {
        kind: 'web',
        configurationId: null,
        host: { hostId: host.hostId, hostQueue: host.hostQueue },
      },
      row: { channel: 'web', mode: 'web' },
    });
    await world.starter.startCall(call.input);
    return call;
  },
};

/** Scenarios of a spoken call, each with its own worker and hosts, because the hosts come and go. */
export async function openSpokenCalls(): Promise<Recording> {
  const worlds: VoiceWorld[] = [await createVoiceWorld()];
  const [first] = worlds;
  if (first === undefined) throw new Error('No world was created');
  return {
    temporal: first.base.temporal,
    names: Object.keys(scenarios),
    async play(name) {
      const world = await createVoiceWorld();
      worlds.push(world);
      await world.startWorker();
      const host = await world.startHost(finishing);
      const call = await scenarios[name]?.(world, host);
      if (call === undefined) throw new Error(`There is no scenario ${name}`);
      await call.result();
      return callWorkflowId(call.callUuid);
    },
    async close() {
      for (const world of worlds) await world.close();
    },
  };
}
