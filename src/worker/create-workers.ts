import {
  Worker,
  type NativeConnection,
  type WorkerInterceptors,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { tracingSinks } from './tracing.ts';
import { InvariantError } from '../domain/errors.ts';
import { taskQueues, timeoutsMs, workerRoles, type WorkerRole } from '../domain/declaration.ts';

/** Time for what runs to end when a worker stops: a whole turn, and a little. */
export const shutdownGraceMs = timeoutsMs.turnStartToClose + 2000;

export interface CreateWorkersOptions {
  connection: NativeConnection;
  namespace: string;
  /** Null when none of the roles runs Workflows (`needsWorkflows`). */
  workflowBundle: WorkflowBundleOption | null;
  /** What each role runs; a role that is absent gets no worker. */
  activities: Partial<Record<WorkerRole, object>>;
  /** Other queues than the declared ones: tests give each file its own. */
  taskQueueOf?: (role: WorkerRole) => string;
  interceptors?: WorkerInterceptors;
  /** Where spans of Workflows go. */
  tracing?: Tracing;
  /** How payloads are written; the bundle must be built with its failure converter. */
  dataConverter?: DataConverter | undefined;
  shutdownGraceMs?: number;
  /**
   * Which code this is; a versioned worker gets work only when its version is current. Absent = not
   * versioned.
   */
  version?: WorkerVersion | undefined;
}

/** A version of a Temporal worker deployment. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

/** Whether one of these roles runs Workflows; the others run activities alone. */
export function needsWorkflows(roles: readonly WorkerRole[]): boolean {
  return roles.some((role) => 'maxCachedWorkflows' in workerRoles[role]);
}

/** The declared task queue of a role. */
export function declaredTaskQueue(role: WorkerRole): string {
  return taskQueues[workerRoles[role].taskQueue];
}

/**
 * One Temporal worker per role of temporal.yaml, on one connection, with the cache and the sticky timeout it
 * declares.
 */
export async function createWorkers(options: CreateWorkersOptions): Promise<Worker[]> {
  const { activities, taskQueueOf = declaredTaskQueue } = options;
  const roles = Object.keys(workerRoles).filter((role): role is WorkerRole => role in activities);
  return await Promise.all(roles.map((role) => createWorker(role, taskQueueOf(role), options)));
}

async function createWorker(
  role: WorkerRole,
  taskQueue: string,
  options: CreateWorkersOptions,
): Promise<Worker> {
  const declared = workerRoles[role];
  const graceMs = options.shutdownGraceMs ?? shutdownGraceMs;
  return await Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue,
    activities: options.activities[role] ?? {},
    ...('maxCachedWorkflows' in declared ? workflowsOf(declared, options) : {}),
    maxConcurrentActivityTaskExecutions: declared.maxConcurrentActivityTaskExecutions,
    // A cancelled or lost activity is noticed by its heartbeat: the SDK's throttle of half a minute would
    // hide it.
    maxHeartbeatThrottleInterval: 1000,
    defaultHeartbeatThrottleInterval: 1000,
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + 3000,
    ...(options.version === undefined
      ? {}
      : {
          workerDeploymentOptions: {
            useWorkerVersioning: true,
            version: options.version,
            // guarantee: worker-versions-live-call
            defaultVersioningBehavior: declared.versioningBehavior,
          },
        }),
    ...(options.dataConverter === undefined ? {} : { dataConverter: options.dataConverter }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
  });
}

type WorkflowRole = Extract<(typeof workerRoles)[WorkerRole], { maxCachedWorkflows: number }>;

function workflowsOf(
  { stickyQueueScheduleToStartTimeoutMs, maxCachedWorkflows }: WorkflowRole,
  { workflowBundle, tracing = noTracing }: CreateWorkersOptions,
) {
  if (workflowBundle === null) throw new InvariantError('A role that runs Workflows was given none');
  return {
    workflowBundle,
    sinks: tracingSinks(tracing),
    stickyQueueScheduleToStartTimeout: stickyQueueScheduleToStartTimeoutMs,
    maxCachedWorkflows,
  };
}
