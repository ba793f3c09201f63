const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * How long each attempt waits after the previous one, milliseconds: about three days in all (contract 9.4).
 */
export const deliveryScheduleMs: readonly number[] = [
  0,
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The maximum wait that an endpoint's `Retry-After` can ask for. */
export const maxRetryAfterMs = 24 * hour;

/** Waits are up to a tenth longer, so that an endpoint that recovers does not get all deliveries at once. */
const maxJitter = 0.1;

/**
 * Milliseconds until the attempt at `index` (0 is the first, at once). `random` is between 0 and 1.
 * `retryAfterMs` is the wait that the endpoint's last answer asked for: the delay is never shorter, up to 24
 * hours. An index past the end waits as long as the last one.
 */
export function delayBeforeAttempt({
  index,
  schedule = deliveryScheduleMs,
  retryAfterMs,
  random,
}: DelayInput): number {
  const planned = schedule[Math.min(index, schedule.length - 1)] ?? 0;
  const jittered = Math.round(planned * (1 + maxJitter * Math.min(Math.max(random, 0), 1)));
  if (index === 0 || retryAfterMs === null) return jittered;
  return Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs));
}

export interface DelayInput {
  index: number;
  schedule?: readonly number[];
  retryAfterMs: number | null;
  random: number;
}
