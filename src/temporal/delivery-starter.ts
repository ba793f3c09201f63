import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { taskQueues } from '../domain/declaration.ts';
import { UnavailableError } from '../domain/errors.ts';
import { backlogWorkflowId, deliveryWorkflowId, drainWorkflowId } from '../domain/temporal-ids.ts';
import { plain } from '../workflows/call/details.ts';
import { backlogSummary, retryNowSignal, type DeliveryInput } from '../workflows/delivery/messages.ts';
import type { TemporalClient } from './connection.ts';
import type { DeliveryFollower, DeliveryStarter } from './delivery-port.ts';
import { startOnce } from './start-once.ts';

/**
 * If the Workflow ends between our start and our signal, the next attempt starts it. A Workflow that accepts
 * the signal makes the attempt.
 */
const maxAttempts = 4;

/** Starts deliveries in Temporal. */
export function createDeliveryStarter({
  temporal,
  taskQueue = taskQueues.delivery,
}: {
  temporal: TemporalClient;
  taskQueue?: string;
}): DeliveryStarter & DeliveryFollower {
  return {
    async resend(input) {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        if (await temporal.request((client) => started(client, input, taskQueue))) return;
        if (await temporal.request((client) => woken(client, input))) return;
      }
      throw new UnavailableError('The delivery could not be sent; repeat the request', {
        dependency: 'temporal',
      });
    },
    async continueDelivery({ callId, nodeName, input }) {
      await temporal.request(async (client) => {
        await startOnce(() =>
          client.workflow.start('deliveryWorkflow', {
            workflowId: deliveryWorkflowId(input.deliveryUuid),
            // guarantee: delivery-continued-once
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            taskQueue,
            args: [input],
            staticSummary: `Webhook ${plain(nodeName)} of call ${callId}`,
          }),
        );
      });
    },
    async startBacklog(input) {
      await temporal.request(async (client) => {
        await startOnce(() =>
          client.workflow.start('backlogWorkflow', {
            workflowId: backlogWorkflowId(input.backlog.endpointKey),
            taskQueue,
            args: [input],
            staticSummary: backlogSummary,
          }),
        );
      });
    },
    async drain({ drainUuid, ...input }) {
      await temporal.request(async (client) => {
        await startOnce(() =>
          client.workflow.start('drainWorkflow', {
            workflowId: drainWorkflowId(drainUuid),
            taskQueue,
            args: [input],
            staticSummary: 'Webhooks are sent again',
          }),
        );
      });
    },
  };
}

/** False when the delivery's Workflow is already running. */
async function started(client: Client, input: DeliveryInput, taskQueue: string): Promise<boolean> {
  return await startOnce(() =>
    client.workflow.start('deliveryWorkflow', {
      workflowId: deliveryWorkflowId(input.deliveryUuid),
      taskQueue,
      args: [input],
      staticSummary: 'Webhook, sent again by hand',
    }),
  );
}

/** False when the delivery's Workflow has ended. */
async function woken(client: Client, { deliveryUuid, startedAttempt }: DeliveryInput): Promise<boolean> {
  try {
    await client.workflow
      .getHandle(deliveryWorkflowId(deliveryUuid))
      .signal(retryNowSignal, ...(startedAttempt === undefined ? [] : [{ attempt: startedAttempt }]));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
