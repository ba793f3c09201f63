import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerInterceptors } from '@temporalio/worker';

export interface ActivityWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  activities: object;
  maxAtOnce: number;
  /** Grace period for running activities after a stop, before they are canceled. */
  graceMs: number;
  dataConverter?: DataConverter | undefined;
  interceptors?: WorkerInterceptors | undefined;
}

/**
 * A worker that runs only activities, on a queue of a media host. It has no worker version: a host lives as
 * long as its calls.
 */
export async function createActivityWorker({
  connection,
  namespace,
  taskQueue,
  activities,
  maxAtOnce,
  graceMs,
  dataConverter,
  interceptors,
}: ActivityWorkerOptions): Promise<Worker> {
  return await Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    maxConcurrentActivityTaskExecutions: maxAtOnce,
    // Temporal notices a lost step by its missing heartbeats; the SDK would hold them back.
    maxHeartbeatThrottleInterval: 1000,
    defaultHeartbeatThrottleInterval: 1000,
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + 3000,
    ...(dataConverter === undefined ? {} : { dataConverter }),
    ...(interceptors === undefined ? {} : { interceptors }),
  });
}
