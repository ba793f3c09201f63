import { WorkflowNotFoundError } from '@temporalio/client';
import { callWorkflowId } from '../domain/temporal-ids.ts';
import type { TemporalClient } from './connection.ts';
import type { CallExecutions, ExecutionState } from './executions-port.ts';

const states: Record<string, ExecutionState> = { TERMINATED: 'stopped', CANCELLED: 'stopped', COMPLETED: 'broken', FAILED: 'broken', TIMED_OUT: 'broken' };

/** Calls as Temporal knows them, without asking a worker. */
export function createCallExecutions({ temporal }: { temporal: TemporalClient }): CallExecutions {
  return {
    async stateOf(callUuid) {
      try {
        const { status } = await temporal.request((client) => client.workflow.getHandle(callWorkflowId(callUuid)).describe());
        return states[status.name] ?? 'running';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'absent';
        throw error;
      }
    },
  };
}
