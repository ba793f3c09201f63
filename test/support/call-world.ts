import { lastCheck, reportCallEnd } from '../../src/services/campaigns/index.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import {
  bundleWorkflowCode,
  NativeConnection,
  type Worker,
  type WorkerInterceptors,
} from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import type { ServerKind } from '../../src/db/data-source.ts';
import type { DeliveryActivities } from '../../src/activities/delivery.ts';
import { createCallActivities } from '../../src/activities/call.ts';
import { createTelephonyActivities, type TelephonyActivities } from '../../src/activities/telephony.ts';
import type { Carriers } from '../../src/providers/carrier/port.ts';
import { createErasureActivities } from '../../src/activities/erasure.ts';
import { createReconcileActivities } from '../../src/activities/reconcile.ts';
import { createFileImportActivities, createImportActivities } from '../../src/activities/import.ts';
import { createRecordingActivities } from '../../src/activities/recording.ts';
import { createRetentionActivities } from '../../src/activities/retention.ts';
import type { Definition } from '../../src/domain/graph/definition.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { noTracing, type Tracing } from '../../src/runtime/tracing.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import { startDeliveryPump, type DeliveryPump } from '../../src/services/webhooks/index.ts';
import type { TextSession } from '../../src/contract/text-sessions.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import {
  createTextSession,
  endTextSession,
  getTextSession,
  rewindTextSession,
  sendMessage,
  type ConversationDeps,
  type FinalizeDeps,
  type FetchDeps,
  type RecordingStore,
  KeptScenes,
} from '../../src/services/calls/index.ts';
import { createAgent } from '../../src/services/agents/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { createContactFiles } from '../../src/providers/contact-files/contact-files.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import type { LlmPort } from '../../src/providers/llm/port.ts';
import type { WorkerRole } from '../../src/domain/declaration.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { createExecutions } from '../../src/temporal/executions.ts';
import { createImportRuns } from '../../src/temporal/import-starter.ts';
import { createHistories } from '../../src/temporal/histories.ts';
import type { Histories } from '../../src/temporal/histories-port.ts';
import { createCallStarter } from '../../src/temporal/call-starter.ts';
import { createCampaignRuns } from '../../src/temporal/campaign-runs.ts';
import type { TemporalClient } from '../../src/temporal/connection.ts';
import type { CallInput, CallStarter } from '../../src/temporal/port.ts';
import { bundled } from '../../src/worker/bundle.ts';
import { createWorkers, type WorkerVersion } from '../../src/worker/create-workers.ts';
import { tracedActivities } from '../../src/worker/tracing.ts';
import { createTestContext, createTestDatabase, testSecrets, type TestDatabase } from './database.ts';
import { createFakeCustomerHttp } from './fake-customer-http.ts';
import { quietRuntime, silentLogger } from './quiet.ts';
import { workflowBundle } from './test-run.mjs';
import { keepRunning, temporalTestAddress, temporalTestClient } from './temporal.ts';
import { patienceMs, until } from './until.ts';

export { quietRuntime } from './quiet.ts';

/** Calls over a real database and a real Temporal, with a fake language model. One per test file. */
export interface CallWorld {
  ctx: ServiceContext;
  temporal: TemporalClient;
  starter: CallStarter;
  database: TestDatabase;
  /** Task queues of this world only. */
  queues: Record<WorkerRole, string>;
  /** Started deliveries, in order. */
  delivered: string[];
  /** Changes the input of later calls. */
  adjustInput: (change: (input: CallInput) => CallInput) => void;
  createAgent(definition: Definition): Promise<number>;
  /** A new session of a new agent. */
  open(definition: Definition, initialContext?: Record<string, unknown>): Promise<OpenSession>;
  startWorker(options?: WorkerOptions): Promise<RunningWorker>;
  close(): Promise<void>;
}

export interface OpenSession {
  agentId: number;
  callId: number;
  callUuid: string;
  opening: TextSession;
  say(text: string, expectedRevision?: number, idempotencyKey?: string): Promise<TextSession>;
  /** Null = before the first turn. */
  rewind(
    cursorTurnUuid: string | null,
    expectedRevision?: number,
    idempotencyKey?: string,
  ): Promise<TextSession>;
  end(expectedRevision?: number): Promise<TextSession>;
  read(): Promise<TextSession>;
  row(): Promise<CallRow>;
  /** Waits until the record is complete. */
  completed(): Promise<TextSession>;
}

export interface WorkerOptions {
  llm?: LlmPort;
  interceptors?: WorkerInterceptors;
  version?: WorkerVersion;
  /** Workflows that compute a lot get a thread, as in production. */
  hasThreads?: boolean;
  tracing?: Tracing;
  /** Converts payloads; the world's own converter when absent. */
  dataConverter?: DataConverter;
  shutdownGraceMs?: number;
  /** Replaces dependencies of activities; the others are real. */
  deps?: Partial<ConversationDeps & FetchDeps>;
  /** The storage of recordings; absent = nothing is recorded. */
  files?: RecordingStore;
  /** How an erasure deletes histories; in Temporal when absent. */
  histories?: Histories;
  /** The storage of contact files; absent = no worker imports any. */
  uploads?: Pick<Files, 'write' | 'facts' | 'read' | 'remove'>;
  /** The carrier of phone calls. */
  accounts?: Carriers;
  /** Called before each command to a leg, so that a test can kill the worker there. */
  onCommand?: (name: string) => Promise<void>;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

const bundles = new Map<string | undefined, Promise<{ code: string }>>();

/** The bundle of the Workflows: that of the test run, or one with a failure converter, built once per process. */
export function testBundle(failureConverterPath?: string): Promise<{ code: string }> {
  const bundle = bundles.get(failureConverterPath) ?? bundleWith(failureConverterPath);
  bundles.set(failureConverterPath, bundle);
  return bundle;
}

async function bundleWith(failureConverterPath: string | undefined): Promise<{ code: string }> {
  return failureConverterPath === undefined
    ? { code: readFileSync(workflowBundle(), 'utf8') }
    : await bundleWorkflowCode({ ...bundled, failureConverterPath, logger: silentLogger });
}

export async function createCallWorld({
  llm,
  kind = 'mariadb',
  updateWaitMs = patienceMs,
  dataConverter,
  hasNeighbor = true,
}: {
  llm: LlmPort;
  kind?: ServerKind;
  updateWaitMs?: number;
  dataConverter?: DataConverter;
  hasNeighbor?: boolean;
}): Promise<CallWorld> {
  quietRuntime();
  const database = await createTestDatabase(kind, { hasNeighbor });
  const ctx = await createTestContext(database.db);
  const temporal = temporalTestClient('parlance-test', dataConverter);
  await applyTemporalPlan({ temporal, plan: readTemporalPlan() });
  const suite = randomUUID().slice(0, 8);
  const queues = {
    call: `call-${suite}`,
    delivery: `delivery-${suite}`,
    campaign: `campaign-${suite}`,
    import: `import-${suite}`,
  };
  const delivered: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  let adjust = (input: CallInput) => input;
  const real = createCallStarter({ temporal, taskQueue: queues.call, updateWaitMs, uiUrl: undefined });
  const starter: CallStarter = {
    ...real,
    openTextSession: (input, failures) => real.openTextSession(adjust(input), failures),
  };

  return {
    ctx,
    temporal,
    starter,
    database,
    queues,
    delivered,
    adjustInput: (change) => {
      adjust = change;
    },
    createAgent: async (definition) =>
      (await createAgent({ ctx, input: { name: 'Test agent', definition } })).id,
    async open(definition, initialContext = {}) {
      const { id: agentId } = await createAgent({ ctx, input: { name: 'Test agent', definition } });
      const opening = await createTextSession({
        ctx,
        deps: { calls: starter },
        input: { agentId, initialContext, annotations: {} },
      });
      return await sessionOf({ ctx, starter, agentId, opening });
    },
    async startWorker(options = {}) {
      const running = await startWorker({
        ctx,
        temporal,
        llm,
        options: { ...(dataConverter === undefined ? {} : { dataConverter }), ...options },
        queues,
        delivered,
      });
      stops.push(() => running.stop());
      return running;
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await temporal.close();
      await database.drop();
    },
  };
}

/** A session with the operations that tests need. */
export async function sessionOf({
  ctx,
  starter,
  agentId,
  opening,
}: {
  ctx: ServiceContext;
  starter: CallStarter;
  agentId: number;
  opening: TextSession;
}): Promise<OpenSession> {
  const deps = { calls: starter };
  const input = { agentId, callId: opening.workflow_run_id };
  const row = () => ctx.db.getRepository(calls).findOneByOrFail({ id: input.callId });
  const read = () => getTextSession({ ctx, input });
  return {
    ...input,
    callUuid: (await row()).uuid,
    opening,
    say: (text, expectedRevision, idempotencyKey) =>
      sendMessage({ ctx, deps, input: { ...input, text, expectedRevision, idempotencyKey } }),
    rewind: (cursorTurnUuid, expectedRevision, idempotencyKey) =>
      rewindTextSession({ ctx, deps, input: { ...input, cursorTurnUuid, expectedRevision, idempotencyKey } }),
    end: (expectedRevision) => endTextSession({ ctx, deps, input: { ...input, expectedRevision } }),
    read,
    row,
    completed: () =>
      until('the end of the call', async () => ((await row()).state === 'ended' ? await read() : undefined)),
  };
}

interface Starting {
  ctx: ServiceContext;
  temporal: TemporalClient;
  llm: LlmPort;
  options: WorkerOptions;
  queues: Record<WorkerRole, string>;
  delivered: string[];
}

async function startWorker({
  ctx,
  temporal,
  llm,
  options,
  queues,
  delivered,
}: Starting): Promise<RunningWorker> {
  const pump = startTestPump({ ctx, delivered, tracing: options.tracing });
  const deps: ConversationDeps & FetchDeps & FinalizeDeps = {
    db: ctx.db,
    clock: systemClock,
    ids: randomIds,
    log: pino({ level: 'silent' }),
    llm: options.llm ?? llm,
    model: 'test-model',
    publicUrl: 'http://parlance.test',
    secrets: testSecrets,
    http: createFakeCustomerHttp(),
    customerLlms: () => options.llm ?? llm,
    reportCallEnd,
    scenes: new KeptScenes(systemClock),
    traceparent: () => options.tracing?.active()?.traceparent ?? null,
    pump,
    ...options.deps,
  };
  const recordings = createRecordingActivities({ ...deps, files: options.files });
  const imports =
    options.uploads === undefined
      ? {}
      : {
          campaign: createImportActivities(deps),
          import: createFileImportActivities({
            ...deps,
            files: options.uploads,
            contactFiles: createContactFiles(),
          }),
        };
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const workers: Worker[] = await createWorkers({
    hasNoThreads: options.hasThreads !== true,
    connection,
    namespace: 'parlance-test',
    workflowBundle: await testBundle(options.dataConverter?.failureConverterPath),
    dataConverter: options.dataConverter,
    version: options.version,
    activities: {
      call: {
        ...createCallActivities(deps),
        ...recordings,
        ...seen(
          createTelephonyActivities({
            ...deps,
            accounts: options.accounts ?? noAccounts,
            checkBeforeDial: (call) => lastCheck(deps, call),
          }),
          options.onCommand,
        ),
      },
      delivery: {
        ...fakeDeliveries(ctx, delivered),
        ...createRetentionActivities({ ...deps, histories: createHistories({ temporal }) }),
        ...createReconcileActivities({
          ...deps,
          accounts: options.accounts,
          executions: createExecutions({ temporal }),
          campaignRuns: createCampaignRuns({ temporal, taskQueue: queues.campaign }),
          imports: createImportRuns({ temporal, taskQueue: queues.campaign, importTaskQueue: queues.import }),
        }),
        ...recordings,
        ...createErasureActivities({
          ...deps,
          files: options.files,
          histories: options.histories ?? createHistories({ temporal }),
        }),
      },
      ...imports,
    },
    taskQueueOf: (role) => queues[role],
    shutdownGraceMs: options.shutdownGraceMs ?? 2000,
    ...(options.tracing === undefined
      ? {}
      : { tracing: options.tracing, interceptors: { activity: tracedActivities(options.tracing) } }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
  });
  const running = keepRunning(connection, workers);
  return {
    stop: async () => {
      await running.stop();
      await pump.stop();
    },
  };
}

/** A pump whose receiver takes each webhook at once; deliveries have their own tests. */
function startTestPump({
  ctx,
  delivered,
  tracing = noTracing,
}: {
  ctx: ServiceContext;
  delivered: string[];
  tracing?: Tracing | undefined;
}): DeliveryPump {
  const http = createFakeCustomerHttp();
  return startDeliveryPump(
    {
      ...ctx,
      secrets: testSecrets,
      http: {
        request: async (asked) => {
          delivered.push(asked.headers['webhook-id'] ?? '');
          return await http.request(asked);
        },
      },
      sign: signWebhook,
      timeoutMs: 60_000,
      tracing,
      follower: { continueDelivery: () => Promise.resolve(), startBacklog: () => Promise.resolve() },
      onAttempt: () => undefined,
    },
    { pumpId: randomUUID() },
  );
}

/** Calls without a phone need no carrier. */
const noAccounts: Carriers = () => {
  throw new Error('This world has no carrier');
};

function seen(activities: TelephonyActivities, onCommand: WorkerOptions['onCommand']): object {
  if (onCommand === undefined) return activities;
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]: [string, (input: never) => Promise<unknown>]) => [
      name,
      async (input: never) => {
        await onCommand(name);
        return await activity(input);
      },
    ]),
  );
}

/** Deliveries that succeed at once; deliveries have their own tests. */
function fakeDeliveries({ db }: ServiceContext, delivered: string[]): DeliveryActivities {
  return {
    async attemptDelivery({ deliveryUuid: uuid, attempt: attemptCount }) {
      await db.getRepository(deliveries).update({ uuid }, { state: 'succeeded', attemptCount });
      delivered.push(uuid);
      return { kind: 'succeeded', host: 'receiver.test', statusCode: 200 };
    },
    async scheduleNextAttempt() {},
    async giveUpDelivery() {},
  };
}
