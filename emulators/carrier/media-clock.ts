import { performance } from 'node:perf_hooks';

export const frameMs = 20;
export const frameSamples = 160;

/** Longer delays are skipped, because the machine was asleep. */
const maxBehindMs = 10_000;

export interface MediaClock {
  /** Begins to tick unless it does: there is something to call back for. */
  wake: () => void;
  stop: () => void;
}

/**
 * The one clock of all legs: calls back for every 20 ms that have passed, on deadlines that do not drift. A
 * callback gets its nominal time in milliseconds since 1970, however late it runs. When nothing is left to call
 * back for (`onFrame` says false), it rests until `wake`.
 */
export function createMediaClock(onFrame: (at: number) => boolean): MediaClock {
  const toEpoch = Date.now() - performance.now();
  let due = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = (): void => {
    const now = performance.now();
    if (now - due > maxBehindMs) due = now;
    let isBusy = true;
    for (; isBusy && due <= now; due += frameMs) isBusy = onFrame(Math.round(toEpoch + due));
    timer = isBusy ? setTimeout(run, Math.max(1, due - performance.now())) : undefined;
  };
  return {
    wake: () => {
      if (timer !== undefined || isStopped) return;
      due = performance.now() + frameMs;
      timer = setTimeout(run, frameMs);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
