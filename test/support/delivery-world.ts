import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createDeliveryActivities } from '../../src/activities/delivery.ts';
import { createDrainActivities } from '../../src/activities/drain.ts';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { deliveries, type DeliveryRow } from '../../src/db/tables/deliveries.ts';
import { deliveryAttempts, type DeliveryAttemptRow } from '../../src/db/tables/delivery-attempts.ts';
import { createGuardedClient } from '../../src/providers/http/guarded-client.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { noTracing } from '../../src/runtime/tracing.ts';
import {
  startDeliveryPump,
  type DeliveryDeps,
  type DeliveryPump,
} from '../../src/services/webhooks/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import type { TemporalClient } from '../../src/temporal/connection.ts';
import type { DeliveryFollower, DeliveryStarter } from '../../src/temporal/delivery-port.ts';
import { createDeliveryStarter } from '../../src/temporal/delivery-starter.ts';
import { deliveryWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createWorkers } from '../../src/worker/create-workers.ts';
import type { DeliveryInput } from '../../src/workflows/delivery/messages.ts';
import type { deliveryWorkflow } from '../../src/workflows/delivery/workflow.ts';
import { quietRuntime, testBundle } from './call-world.ts';
import { createTestContext, createTestDatabase, testSecrets } from './database.ts';
import { insertDelivery, insertEndedCall } from './delivery-rows.ts';
import { waitUntil } from './receiver.ts';
import { keepRunning, temporalTestAddress, temporalTestClient } from './temporal.ts';
import { patienceMs } from './until.ts';

export interface RunningDelivery {
  row: DeliveryRow;
  handle: WorkflowHandle<typeof deliveryWorkflow>;
  /** The current rows. */
  record(): Promise<{ delivery: DeliveryRow; attempts: DeliveryAttemptRow[] }>;
  /** Resolves when its Workflow waits for its next attempt. */
  waits(): Promise<void>;
}

/**
 * Deliveries over a real database, a real Temporal and real HTTP to receivers on 127.0.0.1. One per test
 * file.
 */
export interface DeliveryWorld {
  ctx: ServiceContext;
  temporal: TemporalClient;
  /** Starts and wakes deliveries like the API. */
  starter: DeliveryStarter & DeliveryFollower;
  /** Polls until the answer's `stop`; `deps` replace real dependencies. */
  startWorker(deps?: Partial<DeliveryDeps>): Promise<{ stop(): Promise<void> }>;
  /** Starts a delivery of a fresh call; `input` changes the Workflow's input. */
  deliver(row: Partial<DeliveryRow>, input?: Partial<DeliveryInput>): Promise<RunningDelivery>;
  /** A delivery of a fresh call that waits for a pump. */
  forPump(row: Partial<DeliveryRow>): Promise<RunningDelivery>;
  startPump(): DeliveryPump;
  close(): Promise<void>;
}

export async function createDeliveryWorld(): Promise<DeliveryWorld> {
  quietRuntime();
  const database = await createTestDatabase('mariadb');
  const ctx = await createTestContext(database.db);
  const temporal = temporalTestClient();
  await applyTemporalPlan({ temporal, plan: readTemporalPlan() });
  const taskQueue = `delivery-${randomUUID()}`;
  const http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
  const deps: DeliveryDeps = {
    db: ctx.db,
    clock: ctx.clock,
    ids: ctx.ids,
    log: ctx.log,
    secrets: testSecrets,
    http,
    sign: signWebhook,
    timeoutMs: 5000,
  };
  const stops: (() => Promise<void>)[] = [];
  const starter = createDeliveryStarter({ temporal, taskQueue });
  const runningOf = (row: DeliveryRow): RunningDelivery => {
    const handle = temporal.client.workflow.getHandle<typeof deliveryWorkflow>(deliveryWorkflowId(row.uuid));
    const record = async () => ({
      delivery: await ctx.db.getRepository(deliveries).findOneByOrFail({ id: row.id }),
      attempts: await ctx.db
        .getRepository(deliveryAttempts)
        .find({ where: { deliveryId: row.id }, order: { number: 'ASC' } }),
    });
    const waits = () =>
      waitUntil(
        async () => {
          const { nextAttemptAt, pumpAt } = (await record()).delivery;
          return nextAttemptAt !== null && pumpAt === null;
        },
        patienceMs,
        () => `delivery ${row.uuid} does not wait`,
      );
    return { row, handle, record, waits };
  };

  return {
    ctx,
    temporal,
    starter,
    async startWorker(changes = {}) {
      const worker = await startDeliveryWorker(taskQueue, { ...deps, ...changes });
      stops.push(() => worker.stop());
      return worker;
    },
    async deliver(changes, input = {}) {
      const row = await insertDelivery(ctx, await insertEndedCall(ctx), changes);
      const args: [DeliveryInput] = [
        { deliveryUuid: row.uuid, callUuid: randomUUID(), organizationUuid: randomUUID(), ...input },
      ];
      await temporal.client.workflow.start<typeof deliveryWorkflow>('deliveryWorkflow', {
        taskQueue,
        workflowId: deliveryWorkflowId(row.uuid),
        args,
      });
      return runningOf(row);
    },
    async forPump(changes) {
      const row = await insertDelivery(ctx, await insertEndedCall(ctx), { pumpAt: new Date(), ...changes });
      return runningOf(row);
    },
    startPump() {
      const pump = startDeliveryPump(
        {
          ...deps,
          clock: systemClock,
          follower: starter,
          tracing: noTracing,
          onAttempt: () => undefined,
        },
        { pumpId: randomUUID(), limits: { pollMs: 50 } },
      );
      stops.push(() => pump.stop());
      return pump;
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await http.close();
      await temporal.close();
      await database.drop();
    },
  };
}

async function startDeliveryWorker(
  taskQueue: string,
  deps: DeliveryDeps,
): Promise<{ stop(): Promise<void> }> {
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const workers = await createWorkers({
    hasNoThreads: true,
    connection,
    namespace: 'parlance-test',
    workflowBundle: await testBundle(),
    activities: { delivery: { ...createDeliveryActivities(deps), ...createDrainActivities(deps) } },
    taskQueueOf: () => taskQueue,
    shutdownGraceMs: 500,
  });
  return keepRunning(connection, workers);
}
