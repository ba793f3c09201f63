import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopLag {
  /** The delay of the event loop since the last call. */
  read(): { p95Ms: number; maxMs: number };
}

/** Milliseconds between two samples; additional time is delay. */
const resolutionMs = 20;

/** Measures the delay of this process's event loop. It does not keep the process alive. */
export function watchLoopLag(): LoopLag & { close: () => void } {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const lateMs = (nanoseconds: number) =>
    Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 10) / 10);
  return {
    read: () => {
      const lag =
        delays.count === 0
          ? { p95Ms: 0, maxMs: 0 }
          : { p95Ms: lateMs(delays.percentile(95)), maxMs: lateMs(delays.max) };
      delays.reset();
      return lag;
    },
    close: () => void delays.disable(),
  };
}
