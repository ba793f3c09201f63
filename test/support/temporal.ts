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
 * waits until all queues know it. The server usually needs a second. If its check fails at one queue, it waits for the
 * other queues until its attempt ends after a minute, and tries again.
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
  const { ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS: inProgress } =
    protocols.temporal.api.enums.v1.RoutingConfigUpdateState;
  await until(`version ${buildId} is known to all queues`, async () => {
    const { workerDeploymentInfo } = await request(({ workflowService }) =>
      workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
    return workerDeploymentInfo?.routingConfigUpdateState === inProgress ? undefined : true;
  });
}
