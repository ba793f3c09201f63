import { pause } from './pause.ts';

/** Elapsed time and waits as a dependency, independent of the wall clock. */
export interface Timer {
  /** Monotonic. */
  nowMs(): number;
  /** Waits, or returns as soon as the signal is aborted. */
  pause(delayMs: number, signal: AbortSignal): Promise<void>;
}

export const systemTimer: Timer = { nowMs: () => performance.now(), pause };
