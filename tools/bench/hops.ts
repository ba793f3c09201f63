import { readSamples, type Sample } from '../../test/support/metrics-text.ts';

/** A part of a turn in the worker's own metrics, which Temporal's SDK measures. */
interface Hop {
  what: string;
  /** Name of the histogram, and the labels that its samples must have. */
  metric: string;
  labels: Readonly<Record<string, string>>;
}

export interface HopTime {
  what: string;
  times: number;
  ms: number;
}

const queue = { task_queue: 'parlance-call' };

/** In the order of a turn. Some overlap, so their sum is not the turn. */
const hops: readonly Hop[] = [
  {
    what: 'Workflow task waits for the worker',
    metric: 'temporal_workflow_task_schedule_to_start_latency_seconds',
    labels: queue,
  },
  { what: 'Workflow task runs', metric: 'temporal_workflow_task_execution_latency_seconds', labels: queue },
  {
    what: 'Temporal stores the result of a Workflow task',
    metric: 'temporal_request_latency_seconds',
    labels: { operation: 'RespondWorkflowTaskCompleted' },
  },
  {
    what: 'Activity waits for the worker',
    metric: 'temporal_activity_schedule_to_start_latency_seconds',
    labels: queue,
  },
  {
    what: '`converse` runs, the model included',
    metric: 'temporal_activity_execution_latency_seconds',
    labels: { activity_type: 'converse' },
  },
  {
    what: '`commitTurn` runs',
    metric: 'temporal_activity_execution_latency_seconds',
    labels: { activity_type: 'commitTurn' },
  },
  {
    what: 'Temporal stores the result of an activity',
    metric: 'temporal_request_latency_seconds',
    labels: { operation: 'RespondActivityTaskCompleted' },
  },
];

/**
 * Reads the worker's metrics at `url`; the result reads them again and answers the difference, hop by hop.
 */
export async function hopTimes(url: string): Promise<() => Promise<HopTime[]>> {
  const before = await read(url);
  return async () => {
    const after = await read(url);
    return hops.map((hop) => ({
      what: hop.what,
      times: total(after, hop, 'count') - total(before, hop, 'count'),
      ms: 1000 * (total(after, hop, 'sum') - total(before, hop, 'sum')),
    }));
  };
}

/** Adds up the hops of several readings. */
export function addHops(readings: readonly (readonly HopTime[])[]): HopTime[] {
  return hops.map(({ what }) => {
    const found = readings.flatMap((each) => each.filter((hop) => hop.what === what));
    return {
      what,
      times: found.reduce((sum, { times }) => sum + times, 0),
      ms: found.reduce((sum, { ms }) => sum + ms, 0),
    };
  });
}

async function read(url: string): Promise<Sample[]> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  return readSamples(await answer.text());
}

/** A metric is missing until its first event. */
function total(samples: readonly Sample[], { metric, labels }: Hop, part: 'count' | 'sum'): number {
  const found = samples.filter(
    ({ name, labels: has }) =>
      name === `${metric}_${part}` && Object.entries(labels).every(([label, value]) => has[label] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}
