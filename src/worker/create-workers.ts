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

/** Time for running work to end when a worker stops: a whole turn and a margin. */
export const shutdownGraceMs = timeoutsMs.turnStartToClose + 2000;

export interface CreateWorkersOptions {
  connection: NativeConnection;
  namespace: string;
  /** Null when none of the roles runs Workflows (`needsWorkflows`). */
  workflowBundle: WorkflowBundleOption | null;
  /** The activities of each role; a role without activities gets no worker. */
  activities: Partial<Record<WorkerRole, object>>;
  /** Task queues instead of the declared ones: each test file has its own. */
  taskQueueOf?: (role: WorkerRole) => string;
  interceptors?: WorkerInterceptors;
  /** Receives the spans of Workflows. */
  tracing?: Tracing;
  /** Converts payloads; the bundle must be built with its failure converter. */
  dataConverter?: DataConverter | undefined;
  shutdownGraceMs?: number;
  /**
   * The version of this code; a versioned worker gets work only while its version is current. Absent = not
   * versioned.
   */
  version?: WorkerVersion | undefined;
  /**
   * Runs Workflows in this thread. Tests start hundreds of workers, and a thread of its own for each takes more time
   * than their Workflows. A Workflow that does not return then hangs the process.
   */
  hasNoThreads?: boolean;
}

/** A version of a Temporal worker deployment. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

/** Whether one of these roles runs Workflows; other roles only run activities. */
export function needsWorkflows(roles: readonly WorkerRole[]): boolean {
  return roles.some((role) => 'maxCachedWorkflows' in workerRoles[role]);
}

/** The declared task queue of a role. */
export function declaredTaskQueue(role: WorkerRole): string {
  return taskQueues[workerRoles[role].taskQueue];
}

/**
 * One Temporal worker per role of temporal.yaml, on one connection, with the declared cache and sticky
 * timeout.
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
    // Heartbeats report a cancelled or lost activity; the SDK's throttle of half a minute would delay that.
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
            // guarantee: call-pinned-to-worker-version
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
  { workflowBundle, tracing = noTracing, hasNoThreads = false }: CreateWorkersOptions,
) {
  if (workflowBundle === null) throw new InvariantError('A role that runs Workflows has no Workflow bundle');
  return {
    workflowBundle,
    sinks: tracingSinks(tracing),
    stickyQueueScheduleToStartTimeout: stickyQueueScheduleToStartTimeoutMs,
    maxCachedWorkflows,
    debugMode: hasNoThreads,
  };
}
