import { performance } from 'node:perf_hooks';

export const frameMs = 20;
export const frameSamples = 160;

/** Longer delays are skipped, because the machine was asleep. */
const maxBehindMs = 10_000;

/**
 * The one clock of all legs: calls back for every 20 ms that have passed, on deadlines that do not drift. A
 * callback gets its nominal time in milliseconds since 1970, however late it runs.
 */
export function startMediaClock(onFrame: (at: number) => void): () => void {
  const toEpoch = Date.now() - performance.now();
  let due = performance.now() + frameMs;
  let timer: NodeJS.Timeout;
  const run = (): void => {
    const now = performance.now();
    if (now - due > maxBehindMs) due = now;
    for (; due <= now; due += frameMs) onFrame(Math.round(toEpoch + due));
    timer = setTimeout(run, Math.max(1, due - performance.now()));
  };
  timer = setTimeout(run, frameMs);
  return () => clearTimeout(timer);
}
