import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TemporalPlan } from '../config/temporal-plan.ts';
import type { TemporalClient } from './connection.ts';

/**
 * Applies temporal.yaml to the namespace's Schedules. Safe to repeat and to run in parallel; Schedules that
 * an operator has paused stay paused. Returns one sentence per new Schedule. Throws UnavailableError when
 * Temporal is unavailable.
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
