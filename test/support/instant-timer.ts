import { setImmediate } from 'node:timers/promises';
import type { Timer } from '../../src/runtime/timer.ts';

/** Time passes only through waits, which return at once; work in between takes no time. */
export function createInstantTimer(): Timer {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    pause: async (delayMs) => {
      nowMs += delayMs;
      await setImmediate();
    },
  };
}
