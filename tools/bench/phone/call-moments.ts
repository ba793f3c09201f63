import { callWorkflowId } from '../../../src/domain/temporal-ids.ts';
import type { TemporalClient } from '../../../src/temporal/connection.ts';
import type { Moment } from './loss-parts.ts';

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<TemporalClient['client']['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** What a call's Workflow was told, and when its activities were asked for and done, in order. */
export async function momentsOf({ client }: TemporalClient, callUuid: string): Promise<Moment[]> {
  const { events } = await client.workflow.getHandle(callWorkflowId(callUuid)).fetchHistory();
  const activities = new Map<string, string>();
  return (events ?? []).flatMap((event): Moment[] => {
    const at = millisecondsOf(event);
    const {
      workflowExecutionSignaledEventAttributes: told,
      activityTaskScheduledEventAttributes: asked,
      activityTaskCompletedEventAttributes: done,
    } = event;
    if (told?.signalName != null) return [{ at, kind: 'told', name: told.signalName }];
    if (asked?.activityType?.name != null) {
      activities.set(String(event.eventId), asked.activityType.name);
      return [{ at, kind: 'asked', name: asked.activityType.name }];
    }
    const name = done == null ? undefined : activities.get(String(done.scheduledEventId));
    return name === undefined ? [] : [{ at, kind: 'done', name }];
  });
}

function millisecondsOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}
