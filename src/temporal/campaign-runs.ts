import { WorkflowNotFoundError } from '@temporalio/client';
import { taskQueues, timeoutsMs } from '../domain/declaration.ts';
import { campaignWorkflowId } from '../domain/temporal-ids.ts';
import { attributesAtStart, staticSummary } from '../workflows/campaign/display.ts';
import { wakeCampaignSignal, type CampaignInput } from '../workflows/campaign/messages.ts';
import type { TemporalClient } from './connection.ts';
import type { CampaignRuns } from './port.ts';

/** Starts and wakes campaigns in Temporal. */
export function createCampaignRuns({
  temporal,
  taskQueue = taskQueues.campaign,
}: {
  temporal: TemporalClient;
  taskQueue?: string;
}): CampaignRuns {
  return {
    async start(input) {
      const options = {
        workflowId: campaignWorkflowId(input.campaignUuid),
        taskQueue,
        args: [input] as [CampaignInput],
        workflowTaskTimeout: timeoutsMs.workflowTask,
        typedSearchAttributes: attributesAtStart(input),
        staticSummary: staticSummary(input),
      };
      await temporal.request((client) =>
        client.workflow.signalWithStart('campaignWorkflow', {
          ...options,
          signal: wakeCampaignSignal,
          signalArgs: [],
        }),
      );
    },
    async wake(campaignUuid) {
      return await temporal.request(async (client) => {
        try {
          await client.workflow.getHandle(campaignWorkflowId(campaignUuid)).signal(wakeCampaignSignal);
          return 'delivered';
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return 'gone';
          throw error;
        }
      });
    },
  };
}
