import type { DataConverter } from '@temporalio/common';
import protocols from '@temporalio/proto';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { until } from './until.ts';

/** Address of the Temporal server of this test run; `npm test` provides one. */
export function temporalTestAddress(): string {
  const address = process.env['PARLANCE_TEST_TEMPORAL_ADDRESS'];
  if (address === undefined || address === '')
    throw new Error(
      'PARLANCE_TEST_TEMPORAL_ADDRESS is not set: run the tests by `npm test`, which provides the services',
    );
  return address;
}

/**
 * Runs workers. `stop` shuts down those that still run, waits until all have ended, and closes their connection. How
 * they ended is ignored: the SDK fails with "Worker still in use" if it ends before its last request is freed.
 */
export function keepRunning(connection: NativeConnection, workers: Worker[]): { stop: () => Promise<void> } {
  const runs = workers.map((worker) => worker.run());
  for (const run of runs) run.catch(() => undefined);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await Promise.allSettled(runs);
    await connection.close();
  };
  return { stop: () => (stopped ??= stop()) };
}

/** A client of the test server; the caller closes it. */
export function temporalTestClient(
  namespace = 'parlance-test',
  dataConverter?: DataConverter,
): TemporalClient {
  return createTemporalClient({ address: temporalTestAddress(), namespace, dataConverter });
}

/**
 * Like `temporal worker deployment set-current-version`: makes a version current once its workers poll every queue, and
 * waits until every Workflow queue starts Workflows on it. Asks the queues themselves: the `routingConfigUpdateState` of
 * a deployment may stay "in progress" for good although all queues know the version (temporalio/temporal#11842).
 */
export async function makeCurrent(
  { request, namespace }: Pick<TemporalClient, 'request' | 'namespace'>,
  { deploymentName, buildId }: { deploymentName: string; buildId: string },
): Promise<void> {
  const identity = 'test';
  await until(
    `version ${buildId} is current`,
    async () =>
      await request(({ workflowService }) =>
        workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity }),
      ).catch(() => undefined),
  );
  const { TASK_QUEUE_TYPE_WORKFLOW: taskQueueType } = protocols.temporal.api.enums.v1.TaskQueueType;
  const { versionTaskQueues } = await request(({ workflowService }) =>
    workflowService.describeWorkerDeploymentVersion({
      namespace,
      deploymentVersion: { deploymentName, buildId },
    }),
  );
  for (const { name } of versionTaskQueues.filter(({ type }) => type === taskQueueType))
    await until(`version ${buildId} is current in the queue ${name}`, async () => {
      const { versioningInfo } = await request(({ workflowService }) =>
        workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType }),
      );
      return versioningInfo?.currentDeploymentVersion?.buildId === buildId;
    });
}
