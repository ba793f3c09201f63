import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerInterceptors } from '@temporalio/worker';

export interface ActivityWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  activities: object;
  maxAtOnce: number;
  /** For what runs when it stops; then it is told to end. */
  graceMs: number;
  dataConverter?: DataConverter | undefined;
  interceptors?: WorkerInterceptors | undefined;
}

/**
 * A worker that runs activities alone, on a queue of a media host. It belongs to no version of the code: a
 * host lives as long as its calls.
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
    // A lost step is noticed by its heartbeat, and one that is to end learns it by the answer to it.
    maxHeartbeatThrottleInterval: 1000,
    defaultHeartbeatThrottleInterval: 1000,
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + 3000,
    ...(dataConverter === undefined ? {} : { dataConverter }),
    ...(interceptors === undefined ? {} : { interceptors }),
  });
}
