/** How many rows were read at a moment, in milliseconds of a clock that only goes on. */
export interface Sample {
  rows: number;
  at: number;
}

/** Older samples say nothing of how fast it goes now. */
const windowMs = 10_000;

/** The samples with another one. A smaller number of rows begins anew. */
export const withSample = (samples: readonly Sample[], added: Sample): readonly Sample[] =>
  (samples.at(-1)?.rows ?? 0) > added.rows
    ? [added]
    : [...samples.filter(({ at }) => added.at - at <= windowMs), added];

/** Rows per second; null until two samples say it. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at || last.rows <= first.rows)
    return null;
  return Math.round(((last.rows - first.rows) * 1000) / (last.at - first.at));
}
