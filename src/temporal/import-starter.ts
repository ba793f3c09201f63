import { WorkflowNotFoundError } from '@temporalio/client';
import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { importWorkflowId } from '../domain/temporal-ids.ts';
import { staticDetails, staticSummary } from '../workflows/import/details.ts';
import type { TemporalClient } from './connection.ts';
import type { ImportRuns } from './import-port.ts';
import { startOnce } from './start-once.ts';

/** Starts and cancels imports in Temporal. */
export function createImportRuns({
  temporal,
  taskQueue = taskQueues.campaign,
  importTaskQueue,
}: {
  temporal: TemporalClient;
  taskQueue?: string;
  /** Replaces the declared one. */
  importTaskQueue?: string;
}): ImportRuns {
  return {
    async start(input) {
      const isStarted = await startOnce(() =>
        temporal.request((client) =>
          client.workflow.start('importWorkflow', {
            workflowId: importWorkflowId(input.directoryUuid, input.importNumber),
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            taskQueue,
            args: [importTaskQueue === undefined ? input : { ...input, importTaskQueue }],
            workflowTaskTimeout: timeoutsMs.workflowTask,
            staticSummary: staticSummary(input),
            staticDetails: staticDetails(input),
          }),
        ),
      );
      return isStarted ? 'runs' : 'over';
    },
    async cancel(directoryUuid, importNumber) {
      try {
        await temporal.request((client) =>
          client.workflow.getHandle(importWorkflowId(directoryUuid, importNumber)).cancel(),
        );
        return 'asked';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'gone';
        throw error;
      }
    },
  };
}
