import { callWorkflowId } from '../../../src/domain/temporal-ids.ts';
import type { TemporalClient } from '../../../src/temporal/connection.ts';
import type { CallEvent } from './loss-parts.ts';

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<TemporalClient['client']['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** The signals of a call's Workflow, and when its activities were scheduled and completed, in order. */
export async function callEventsOf({ client }: TemporalClient, callUuid: string): Promise<CallEvent[]> {
  const { events } = await client.workflow.getHandle(callWorkflowId(callUuid)).fetchHistory();
  const activities = new Map<string, string>();
  return (events ?? []).flatMap((event): CallEvent[] => {
    const at = millisecondsOf(event);
    const {
      workflowExecutionSignaledEventAttributes: signaled,
      activityTaskScheduledEventAttributes: scheduled,
      activityTaskCompletedEventAttributes: done,
    } = event;
    if (signaled?.signalName != null) return [{ at, kind: 'signaled', name: signaled.signalName }];
    if (scheduled?.activityType?.name != null) {
      activities.set(String(event.eventId), scheduled.activityType.name);
      return [{ at, kind: 'scheduled', name: scheduled.activityType.name }];
    }
    const name = done == null ? undefined : activities.get(String(done.scheduledEventId));
    return name === undefined ? [] : [{ at, kind: 'done', name }];
  });
}

function millisecondsOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}
