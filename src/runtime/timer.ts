import { pause } from './pause.ts';

/** Elapsed time and waits as a dependency, independent of the wall clock. */
export interface Timer {
  /** Monotonic. */
  nowMs(): number;
  /** Waits, or returns as soon as the signal is aborted. */
  pause(delayMs: number, signal: AbortSignal): Promise<void>;
}

export const systemTimer: Timer = { nowMs: () => performance.now(), pause };

/** Calls `run`, which must not throw, after the delay, unless the returned function is called first. */
export function runAfter(timer: Timer, delayMs: number, run: () => void): () => void {
  const canceled = new AbortController();
  const wait = async () => {
    await timer.pause(delayMs, canceled.signal);
    if (!canceled.signal.aborted) run();
  };
  void wait();
  // With a reason, because the usual one is an exception with a stack, which no one reads.
  return () => canceled.abort(null);
}
