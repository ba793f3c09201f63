import { WorkflowNotFoundError } from '@temporalio/client';
import { callWorkflowId } from '../domain/temporal-ids.ts';
import { givenUpSignal } from '../workflows/call/messages.ts';
import type { TemporalClient } from './connection.ts';

/** State of an activity that a worker runs (`PENDING_ACTIVITY_STATE_STARTED`). */
const started = 2;

/** What a media host asks and tells the Workflow of a call, without a worker. */
export interface CallDriver {
  /**
   * Whether a worker works on the call, or it waits for a timer or a message. False while its next task waits
   * for a worker. Throws UnavailableError('temporal').
   */
  isServed(callUuid: string): Promise<boolean>;
  /** Notes that the host of that generation hangs up because no worker serves the call. */
  giveUp(callUuid: string, seat: { generation: number }): Promise<void>;
}

export function createCallDriver({ temporal }: { temporal: TemporalClient }): CallDriver {
  return {
    async isServed(callUuid) {
      const { pendingWorkflowTask, pendingActivities } = await temporal.request((client) =>
        client.workflowService.describeWorkflowExecution({
          namespace: temporal.namespace,
          execution: { workflowId: callWorkflowId(callUuid) },
        }),
      );
      if (pendingWorkflowTask != null) return false;
      const activities = pendingActivities ?? [];
      return activities.length === 0 || activities.some(({ state }) => Number(state) === started);
    },
    async giveUp(callUuid, seat) {
      try {
        await temporal.request((client) =>
          client.workflow.getHandle(callWorkflowId(callUuid)).signal(givenUpSignal, seat),
        );
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
