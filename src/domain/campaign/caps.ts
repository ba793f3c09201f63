/**
 * Maximum number of dials of one number, by all campaigns of its organization together, in the last hour, 24
 * hours and 7 days; null = unlimited.
 */
export interface Caps {
  perHour: number | null;
  perDay: number | null;
  perWeek: number | null;
}

const hourMs = 3_600_000;

/** Dials longer ago count for no cap. */
export const maxCapMs = 7 * 24 * hourMs;

/**
 * Until when a number may not be dialed; null if it may be dialed now. `dials` are the timestamps of its
 * dials, in any order. A dial exactly one hour ago no longer counts for the hour.
 */
export function isCapped({
  caps,
  dials,
  now,
}: {
  caps: Caps;
  dials: readonly Date[];
  now: Date;
}): { until: Date } | null {
  const periods = [
    { max: caps.perHour, periodMs: hourMs },
    // guarantee: caps-limit-dials-of-a-number
    { max: caps.perDay, periodMs: 24 * hourMs },
    { max: caps.perWeek, periodMs: maxCapMs },
  ];
  const times = dials.map((each) => each.getTime()).toSorted((one, other) => one - other);
  const untilMs = Math.max(
    ...periods.map(({ max, periodMs }) =>
      max === null ? -Infinity : freeAt(times, { max, periodMs, nowMs: now.getTime() }),
    ),
  );
  return untilMs > now.getTime() ? { until: new Date(untilMs) } : null;
}

/** When one more dial fits in the period. A cap of 0 never allows one. */
function freeAt(
  times: readonly number[],
  { max, periodMs, nowMs }: { max: number; periodMs: number; nowMs: number },
): number {
  if (max < 1) return nowMs + periodMs;
  const counting = times.filter((each) => each > nowMs - periodMs);
  const oldest = counting[counting.length - max];
  return oldest === undefined ? -Infinity : oldest + periodMs;
}
