/** The start of each range of call durations, in seconds (contract 15.2). */
export const rangeStarts = [0, 10, 30, 60, 120, 180] as const;

/** Maximum number of dispositions that are listed by name; the others are summed up. */
const maxOutcomes = 5;

export interface Share {
  count: number;
  /** Rounded to two decimals; 0 when the total is 0. */
  percentage: number;
}

export interface OutcomeShare extends Share {
  disposition: string;
}

export interface DurationShare extends Share {
  bucket: string;
  startSeconds: number;
  /** Null for the last range. */
  endSeconds: number | null;
}

/**
 * The most frequent dispositions, then the rest as `Other`. Shares relate to the calls that have a
 * disposition.
 */
export function outcomeShares(counts: readonly { disposition: string; count: number }[]): OutcomeShare[] {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const sorted = counts.toSorted(
    (one, other) => other.count - one.count || (one.disposition < other.disposition ? -1 : 1),
  );
  const others = sorted.slice(maxOutcomes).reduce((sum, { count }) => sum + count, 0);
  const named = [
    ...sorted.slice(0, maxOutcomes),
    ...(others === 0 ? [] : [{ disposition: 'Other', count: others }]),
  ];
  return named.map(({ disposition, count }) => ({ disposition, ...shareOf(count, total) }));
}

/** All ranges, including empty ones; `counts` are by index of `rangeStarts`. */
export function durationShares(counts: ReadonlyMap<number, number>): DurationShare[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return rangeStarts.map((startSeconds, index) => {
    const endSeconds = rangeStarts[index + 1] ?? null;
    const bucket = endSeconds === null ? `>${startSeconds}` : `${startSeconds}-${endSeconds}`;
    return { bucket, startSeconds, endSeconds, ...shareOf(counts.get(index) ?? 0, total) };
  });
}

function shareOf(count: number, total: number): Share {
  return { count, percentage: total === 0 ? 0 : Math.round((count * 10_000) / total) / 100 };
}
