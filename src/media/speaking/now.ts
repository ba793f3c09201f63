import type { Clock } from '../../runtime/clock.ts';

/**
 * The two clocks of a host: one that only goes forward, for intervals, and the wall's, for what people read.
 */
export interface HostClocks {
  /** `performance.now()`. */
  nowMs: () => number;
  clock: Clock;
}

/** A moment of the first clock, ISO 8601. */
export function isoOf({ nowMs, clock }: HostClocks, atMs: number): string {
  return new Date(clock.now().getTime() - (nowMs() - atMs)).toISOString();
}
