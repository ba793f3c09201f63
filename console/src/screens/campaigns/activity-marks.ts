import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import type { Campaign } from './facts.ts';

export type Bucket = AnswerOf<'get', '/campaign/{campaign_id}/activity'>['buckets'][number];

/** Entries of the log that explain a gap or a step in the calls. */
const marking: Readonly<Record<string, 'hold' | 'go' | 'edit' | 'fault'>> = {
  campaign_started: 'go',
  campaign_resumed: 'go',
  dialing_goes_on: 'go',
  all_stopped: 'fault',
  all_resumed: 'go',
  campaign_paused: 'hold',
  campaign_stop_requested: 'hold',
  campaign_changed: 'edit',
  circuit_breaker_tripped: 'fault',
  carrier_down: 'fault',
  no_media_host: 'fault',
};

export interface Mark {
  is: 'hold' | 'go' | 'edit' | 'fault';
  at: string;
  message: string;
}

export type Happened = Pick<Campaign['logs'][number], 'ts' | 'event' | 'message'>;

/** The marks of each interval, in their order. What happened before the first or after the last has none. */
export function marksOf(
  buckets: readonly Bucket[],
  bucketSeconds: number,
  happened: readonly Happened[],
): readonly (readonly Mark[])[] {
  const firstMs = new Date(buckets[0]?.from ?? 0).getTime();
  const marks: Mark[][] = buckets.map(() => []);
  for (const { ts, event, message } of happened) {
    const is = marking[event];
    if (is === undefined) continue;
    marks[Math.floor((new Date(ts).getTime() - firstMs) / (bucketSeconds * 1000))]?.push({
      is,
      at: ts,
      message,
    });
  }
  return marks;
}

const steps = [300, 900, 1800, 3600, 10_800, 21_600];
const day = 86_400;
/** More bars than that are too thin. */
const maxBuckets = 96;

/** Seconds of an interval so that a stretch of time fits into the chart. */
export const bucketFor = (seconds: number): number =>
  steps.find((step) => seconds / step <= maxBuckets) ?? day;

/** At least `min` intervals, so that few bars look like few: empty ones go before the first. */
export function padded(
  buckets: readonly Bucket[],
  { bucketSeconds, min }: { bucketSeconds: number; min: number },
): readonly Bucket[] {
  const firstMs = new Date(buckets[0]?.from ?? 0).getTime();
  const missing = buckets.length === 0 ? 0 : Math.max(0, min - buckets.length);
  return [
    ...Array.from({ length: missing }, (_, at) => ({
      from: new Date(firstMs - (missing - at) * bucketSeconds * 1000).toISOString(),
      calls: 0,
      reached: 0,
    })),
    ...buckets,
  ];
}
