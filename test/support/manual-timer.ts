import type { Timer } from '../../src/runtime/timer.ts';

/** Time passes only by `advance`: a test decides when a wait is over. */
export interface ManualTimer extends Timer {
  /** Ends the waits that are over after `ms`. A wait that begins because of that counts from then on. */
  advance(ms: number): void;
  /** Delays of the waits that go on, in milliseconds. */
  pending(): number[];
}

export function createManualTimer(): ManualTimer {
  let nowMs = 0;
  const waits = new Set<{ delayMs: number; untilMs: number; end: () => void }>();
  return {
    nowMs: () => nowMs,
    pause: (delayMs, signal) =>
      new Promise((resolve) => {
        const end = () => {
          waits.delete(wait);
          resolve();
        };
        const wait = { delayMs, untilMs: nowMs + delayMs, end };
        waits.add(wait);
        signal.addEventListener('abort', end, { once: true });
      }),
    advance: (ms) => {
      nowMs += ms;
      for (const { untilMs, end } of waits) if (untilMs <= nowMs) end();
    },
    pending: () => [...waits].map(({ delayMs }) => delayMs),
  };
}
