import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TemporalPlan } from '../config/temporal-plan.ts';
import type { TemporalClient } from './connection.ts';

/**
 * Makes the namespace's Schedules fit temporal.yaml. Safe to run again and beside another one; what an
 * operator has paused stays paused. Returns one sentence per Schedule that was made. Throws UnavailableError
 * when Temporal is away.
 */
export async function applySchedules({
  temporal,
  plan,
}: {
  temporal: TemporalClient;
  plan: Pick<TemporalPlan, 'schedules' | 'taskQueues'>;
}): Promise<string[]> {
  const changes: string[] = [];
  for (const [scheduleId, { workflow, taskQueue, everyMs }] of Object.entries(plan.schedules)) {
    const spec = { intervals: [{ every: everyMs }] };
    const action = {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: scheduleId,
      taskQueue: plan.taskQueues[taskQueue] ?? taskQueue,
      args: [],
    };
    const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everyMs };
    const isNew = await temporal.request(async (client) => {
      try {
        await client.schedule.create({ scheduleId, spec, action, policies });
        return true;
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await client.schedule
          .getHandle(scheduleId)
          .update(({ state }) => ({ spec, action, policies, state }));
        return false;
      }
    });
    if (isNew) changes.push(`Schedule ${scheduleId} (${workflow} every ${everyMs / 1000} s) added`);
  }
  return changes;
}
