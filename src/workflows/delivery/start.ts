import { startChild, type ChildWorkflowOptions } from '@temporalio/workflow';
import { deliveryWorkflowId } from '../../domain/temporal-ids.ts';
import { startOnce } from '../start-once.ts';
import type { DeliveryInput } from './messages.ts';
import { deliveryWorkflow } from './workflow.ts';

/** Starts the Workflow of a delivery, which continues when its parent closes. False when its id is taken. */
export async function startDelivery(
  input: DeliveryInput,
  options: Pick<ChildWorkflowOptions, 'workflowIdReusePolicy' | 'staticSummary'>,
): Promise<boolean> {
  return await startOnce(() =>
    startChild(deliveryWorkflow, {
      workflowId: deliveryWorkflowId(input.deliveryUuid),
      parentClosePolicy: 'ABANDON',
      ...options,
      args: [input],
    }),
  );
}
