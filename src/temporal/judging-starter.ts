import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { judgeAgainWorkflowId } from '../domain/temporal-ids.ts';
import type { TemporalClient } from './connection.ts';
import type { JudgingStarter } from './judging-port.ts';
import { startOnce } from './start-once.ts';

/** Starts judgments in Temporal. One that was ended by hand can be started again. */
export function createJudgingStarter({
  temporal,
  taskQueue = taskQueues.call,
}: {
  temporal: TemporalClient;
  taskQueue?: string;
}): JudgingStarter {
  return {
    async start(input) {
      await startOnce(() =>
        temporal.request((client) =>
          client.workflow.start('judgeAgainWorkflow', {
            workflowId: judgeAgainWorkflowId(input.callUuid, input.again.number),
            taskQueue,
            args: [input],
            workflowTaskTimeout: timeoutsMs.workflowTask,
            staticSummary: `Call ${input.callId} is judged again`,
          }),
        ),
      );
    },
  };
}
