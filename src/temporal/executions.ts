import { WorkflowNotFoundError } from '@temporalio/client';
import {
  callWorkflowId,
  campaignWorkflowId,
  deliveryWorkflowId,
  importWorkflowId,
} from '../domain/temporal-ids.ts';
import type { TemporalClient } from './connection.ts';
import type { Executions, ExecutionState } from './executions-port.ts';

const states: Record<string, ExecutionState> = {
  TERMINATED: 'stopped',
  CANCELLED: 'stopped',
  COMPLETED: 'broken',
  FAILED: 'broken',
  TIMED_OUT: 'broken',
};

/** States of Workflows as Temporal stores them, without a query to a worker. */
export function createExecutions({ temporal }: { temporal: TemporalClient }): Executions {
  const stateOf = async (workflowId: string): Promise<ExecutionState> => {
    try {
      const { status } = await temporal.request((client) => client.workflow.getHandle(workflowId).describe());
      return states[status.name] ?? 'running';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'absent';
      throw error;
    }
  };
  return {
    callState: (callUuid) => stateOf(callWorkflowId(callUuid)),
    deliveryState: (deliveryUuid) => stateOf(deliveryWorkflowId(deliveryUuid)),
    campaignState: (campaignUuid) => stateOf(campaignWorkflowId(campaignUuid)),
    importState: (directoryUuid, importNumber) => stateOf(importWorkflowId(directoryUuid, importNumber)),
  };
}
