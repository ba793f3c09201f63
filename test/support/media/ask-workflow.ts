import { proxyActivities } from '@temporalio/workflow';

/** Runs one activity on a queue, as a call's Workflow does. For tests of processes that poll the queue. */
export async function askWorkflow({
  activity,
  taskQueue,
  input,
}: {
  activity: string;
  taskQueue: string;
  input: unknown;
}): Promise<unknown> {
  const activities = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue,
    scheduleToStartTimeout: 60_000,
    startToCloseTimeout: 60_000,
    retry: { maximumAttempts: 1 },
  });
  const ask = activities[activity];
  return ask === undefined ? null : await ask(input);
}
