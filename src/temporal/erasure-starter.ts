import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { eraseCallWorkflowId } from '../domain/temporal-ids.ts';
import type { TemporalClient } from './connection.ts';
import type { ErasureStarter } from './erasure-port.ts';
import { startOnce } from './start-once.ts';

/** Starts erasures in Temporal. One that has failed can be started again. */
export function createErasureStarter({
  temporal,
  taskQueue = taskQueues.delivery,
}: {
  temporal: TemporalClient;
  taskQueue?: string;
}): ErasureStarter {
  return {
    async start(input) {
      await startOnce(() =>
        temporal.request((client) =>
          client.workflow.start('eraseCallWorkflow', {
            workflowId: eraseCallWorkflowId(input.callUuid),
            taskQueue,
            args: [input],
            workflowTaskTimeout: timeoutsMs.workflowTask,
            staticSummary: `Call ${input.callId} is erased`,
          }),
        ),
      );
    },
  };
}
