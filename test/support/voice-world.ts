import { rehearsedNumbers } from '../../src/domain/call/call-numbers.ts';
import { randomUUID } from 'node:crypto';
import { getRow, insertRow } from '../../src/db/rows.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../src/db/tables/telephony-configurations.ts';
import type { VoiceChannel } from '../../src/domain/call/voice.ts';
import { compilePlan } from '../../src/domain/graph/compile.ts';
import type { Definition } from '../../src/domain/graph/definition.ts';
import type { CarrierEvent, CarrierNews } from '../../src/domain/telephony/carrier-event.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { freshCall } from '../../src/services/calls/start/fresh-call.ts';
import { sealCredentials } from '../../src/services/telephony/accounts/configurations.ts';
import { createCallStarter } from '../../src/temporal/call-starter.ts';
import type { CallInput, CallStarter } from '../../src/temporal/port.ts';
import type { CallResult, VoiceTiming } from '../../src/workflows/call/messages.ts';
import type { callWorkflow } from '../../src/workflows/index.ts';
import { createCallWorld, type CallWorld, type WorkerOptions } from './call-world.ts';
import { createFakeCarrierPort, type FakeCarrierPort } from './fake-carrier.ts';
import { startFakeMediaHost, type FakeMediaHost, type Script } from './fake-media-host.ts';
import { createScriptedLlm } from './scripted-llm.ts';
import type { FakeLlm } from './fake-llm.ts';
import { insertConnection } from './telephony.ts';
import { until } from './until.ts';

/** Phone calls over a real database and a real Temporal, with the test's own carrier and media hosts. */
export interface VoiceWorld {
  base: CallWorld;
  carrier: FakeCarrierPort;
  starter: CallStarter;
  configurationId: number;
  /** The queue on which its media hosts offer seats. */
  seatQueue: string;
  startWorker(options?: WorkerOptions): ReturnType<CallWorld['startWorker']>;
  startHost(script: Script): Promise<FakeMediaHost>;
  /** A call with a written row; nothing is started. */
  prepare(definition: Definition, changes?: VoiceChanges): Promise<VoiceCall>;
  close(): Promise<void>;
}

export interface VoiceChanges {
  channel?: Partial<VoiceChannel>;
  input?: Partial<CallInput>;
  timing?: Partial<VoiceTiming>;
  row?: Partial<CallRow>;
}

export interface VoiceCall {
  input: CallInput;
  callId: number;
  callUuid: string;
  row(): Promise<CallRow>;
  /** Sends the call a carrier event of its own leg, or of the leg of a transfer. */
  carrierReports(
    what: CarrierNews,
    options?: { role?: 'main' | 'transfer'; at?: Date; attempt?: number },
  ): Promise<void>;
  /** Resolves when the record is complete. */
  ended(): Promise<CallRow>;
  result(): Promise<CallResult>;
  dialed(): Promise<void>;
}

export async function createVoiceWorld({
  llm = createScriptedLlm(),
}: { llm?: FakeLlm } = {}): Promise<VoiceWorld> {
  const base = await createCallWorld({ llm });
  const { ctx } = base;
  const carrier = createFakeCarrierPort();
  const seatQueue = `seat-${randomUUID().slice(0, 8)}`;
  const { configurationId } = await insertConnection(ctx.db, ctx.organizationId);
  await ctx.db.getRepository(telephonyConfigurations).update(
    { id: configurationId },
    {
      credentialsEncrypted: sealCredentials(ctx.secrets, ctx.organizationId, {
        api_key: 'KEY1',
        connection_id: 'app-1',
      }),
    },
  );
  await ctx.db
    .getRepository(phoneNumbers)
    .update({ configurationId }, { addressNormalized: '+15557770001', isDefaultCallerId: true });
  const starter = createCallStarter({
    temporal: base.temporal,
    taskQueue: base.queues.call,
    dialAnswerMs: 180_000, // on a busy machine a Workflow begins late
  });
  const hosts: FakeMediaHost[] = [];

  return {
    base,
    carrier,
    starter,
    configurationId,
    seatQueue,
    startWorker: (options = {}) => base.startWorker({ accounts: () => carrier, ...options }),
    async startHost(script) {
      const host = await startFakeMediaHost(ctx, { seatQueue, script });
      hosts.push(host);
      return host;
    },
    async prepare(definition, changes = {}) {
      const agentId = await base.createAgent(definition);
      const version = await ctx.db.getRepository(agentVersions).findOneByOrFail({ agentId });
      const agent = await getRow(ctx.db.manager, agents, { id: agentId, organizationId: ctx.organizationId });
      const organization = await getRow(ctx.db.manager, organizations, { id: ctx.organizationId });
      const initialContext = changes.row?.initialContext ?? {
        called_number: '15551230001',
        name: 'Ada',
        agent_uuid: 'trigger-1',
      };
      const beginning = {
        name: 'WR-API-0001',
        mode: 'telnyx',
        channel: 'phone' as const,
        direction: 'outbound' as const,
        source: 'api_prod' as const,
        state: 'pending' as const,
        isTest: false,
        ...rehearsedNumbers(initialContext),
        configurationId,
        initialContext,
        annotations: {},
      };
      const call = await insertRow(ctx.db.manager, calls, {
        ...freshCall(ctx, { agent, version }, beginning),
        ...changes.row,
      });
      const channel: VoiceChannel = {
        provider: 'telnyx',
        kind: 'phone',
        direction: 'outbound',
        maxDurationMs: 300_000,
        configurationId,
        phoneNumberId: null,
        detectsMachines: false,
        ...changes.channel,
      };
      const input: CallInput = {
        callId: call.id,
        callUuid: call.uuid,
        organizationId: ctx.organizationId,
        organizationUuid: organization.uuid,
        agentUuid: agent.uuid,
        versionId: version.id,
        versionNumber: version.number,
        definitionSha256: version.definitionSha256,
        plan: compilePlan(version.definition),
        channel,
        isTest: false,
        source: 'api_prod',
        seatTaskQueue: seatQueue,
        voiceTiming: { mediaSeatMs: 6000, mediaResumeMs: 6000, dialReconcileMs: 2000, ...changes.timing },
        ...changes.input,
      };
      return voiceCall({ base, starter, carrier, input });
    },
    async close() {
      await Promise.all(hosts.map((host) => host.stop()));
      await base.close();
    },
  };
}

function voiceCall({
  base,
  starter,
  carrier,
  input,
}: {
  base: CallWorld;
  starter: CallStarter;
  carrier: FakeCarrierPort;
  input: CallInput;
}): VoiceCall {
  const { callId, callUuid } = input;
  const row = () => base.ctx.db.getRepository(calls).findOneByOrFail({ id: callId });
  let events = 0;
  return {
    input,
    callId,
    callUuid,
    row,
    async carrierReports(what, { role = 'main', at = new Date(), attempt = 1 } = {}) {
      events += 1;
      const reference = `${callUuid}.${role === 'main' ? 'm' : 't'}${attempt}`;
      const known = [...carrier.legs].find(([clientState]) => clientState.startsWith(reference))?.[1];
      const leg = known ?? {
        callControlId: `v3:${reference}`,
        legId: `leg-of-${reference}`,
        sessionId: null,
      };
      const event: CarrierEvent = {
        eventId: `${reference}-${events}`,
        occurredAt: at.toISOString(),
        leg,
        role,
        what,
      };
      await starter.signalCarrierEvent(callUuid, event);
    },
    ended: () =>
      until('the end of the call', async () => {
        const found = await row();
        return found.state === 'ended' ? found : undefined;
      }),
    result: () =>
      base.temporal.client.workflow.getHandle<typeof callWorkflow>(callWorkflowId(callUuid)).result(),
    dialed: async () => {
      await until('the dial', () =>
        Promise.resolve(carrier.requests('dial').some(({ commandId }) => commandId === `${callUuid}.m1`)),
      );
    },
  };
}
