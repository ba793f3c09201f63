import type { FrameClock } from '../../../src/media/playout/frame-clock.ts';

/** A clock that a test moves: every 20 ms are one tick. */
export interface ManualClock extends FrameClock {
  /** The host had no processor time; until `release`, nothing is sent. */
  hold(): void;
  release(): void;
  advance(ms: number): void;
  /** Time passes without a tick, as on a busy machine. */
  stall(ms: number): void;
  readonly listeners: number;
}

export function createManualClock(atMs = 1000): ManualClock {
  const listeners = new Set<(nowMs: number) => void>();
  let nowMs = atMs;
  let tickAtMs = atMs + 20;
  let isHeld = false;
  return {
    now: () => nowMs,
    isHeld: () => isHeld,
    hold: () => void (isHeld = true),
    release: () => void (isHeld = false),
    join(tick) {
      listeners.add(tick);
      return () => void listeners.delete(tick);
    },
    advance(ms) {
      for (const end = nowMs + ms; ;) {
        if (tickAtMs > end) {
          nowMs = end;
          return;
        }
        nowMs = tickAtMs;
        tickAtMs += 20;
        for (const each of listeners) each(nowMs);
      }
    },
    stall(ms) {
      nowMs += ms;
      while (tickAtMs <= nowMs) tickAtMs += 20;
    },
    get listeners() {
      return listeners.size;
    },
  };
}
