import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopLag {
  /** How late the event loop was since the last time somebody asked. */
  read(): { p95Ms: number; maxMs: number };
}

/** Milliseconds between two looks at the clock; what comes on top of it is lateness. */
const resolutionMs = 20;

/** Watches how late this process's event loop is. It keeps no process alive. */
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
