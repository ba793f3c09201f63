import type { Sample } from '../../../test/support/metrics-text.ts';

/** Counts of a Prometheus histogram by upper bound, in the metric's own unit; +Inf is the last. */
export type Buckets = readonly { bound: number; count: number }[];

/** All label values together. */
export function bucketsIn(samples: readonly Sample[], metric: string): Buckets {
  const counts = new Map<number, number>();
  for (const { name, labels, value } of samples) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    if (name === `${metric}_bucket`) counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return [...counts]
    .map(([bound, count]) => ({ bound, count }))
    .toSorted((left, right) => left.bound - right.bound);
}

/** The difference of two readings. */
export function addedSince(before: Buckets, after: Buckets): Buckets {
  return after.map(({ bound, count }) => ({
    bound,
    count: count - (before.find((each) => each.bound === bound)?.count ?? 0),
  }));
}

/** The least upper bound that `share` (0 to 1) of the values do not exceed; NaN when there are no values. */
export function boundOf(buckets: Buckets, share: number): number {
  const total = buckets.at(-1)?.count ?? 0;
  return total === 0
    ? Number.NaN
    : (buckets.find(({ count }) => count >= total * share)?.bound ?? Number.NaN);
}
