import { WorkflowNotFoundError } from '@temporalio/client';
import { callWorkflowId } from '../domain/temporal-ids.ts';
import { givenUpSignal } from '../workflows/call/messages.ts';
import type { TemporalClient } from './connection.ts';

/** State of an activity that a worker runs (`PENDING_ACTIVITY_STATE_STARTED`). */
const started = 2;

/** What a media host asks and tells the Workflow of a call, without a worker. */
export interface CallDriver {
  /**
   * Names the task of the call that waits for a worker. While no worker takes it, or workers take it in vain, the name
   * stays the same. Null while a worker works on the call, or the call waits for a timer or a message. Throws
   * UnavailableError('temporal').
   */
  waitingTask(callUuid: string): Promise<string | null>;
  /** Notes that the host of that generation hangs up because no worker serves the call. */
  giveUp(callUuid: string, seat: { generation: number }): Promise<void>;
}

export function createCallDriver({ temporal }: { temporal: TemporalClient }): CallDriver {
  return {
    async waitingTask(callUuid) {
      const { pendingWorkflowTask: task, pendingActivities } = await temporal.request((client) =>
        client.workflowService.describeWorkflowExecution({
          namespace: temporal.namespace,
          execution: { workflowId: callWorkflowId(callUuid) },
        }),
      );
      if (task != null) {
        const { seconds, nanos } = task.scheduledTime ?? {};
        return task.attempt === 1 ? `task of ${String(seconds)}.${nanos}` : 'task that is tried again';
      }
      const activities = pendingActivities ?? [];
      if (activities.some(({ state }) => Number(state) === started)) return null;
      return activities.map(({ activityId }) => activityId).join(' ') || null;
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
