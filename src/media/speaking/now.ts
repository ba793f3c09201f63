import type { Clock } from '../../runtime/clock.ts';

/** The two clocks of a host: a monotonic one for intervals, and the wall clock for timestamps. */
export interface HostClocks {
  /** `performance.now()`. */
  nowMs: () => number;
  clock: Clock;
}

/** Converts a time of the monotonic clock to ISO 8601. */
export function isoOf({ nowMs, clock }: HostClocks, atMs: number): string {
  return new Date(clock.now().getTime() - (nowMs() - atMs)).toISOString();
}
