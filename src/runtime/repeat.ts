import type { Logger } from './logger.ts';
import { pause } from './pause.ts';

export interface Repeating {
  /** Names the work in log lines. */
  what: string;
  /** Pause between the end of one run and the start of the next. */
  pauseMs: number;
  work: (signal: AbortSignal) => Promise<unknown>;
  log: Logger;
}

/**
 * Runs `work` repeatedly until it is stopped, and logs the first of consecutive failures. `stop` waits for a
 * current run.
 */
export function repeat({ what, pauseMs, work, log }: Repeating): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let hasFailed = false;
  const runOnce = async () => {
    try {
      await work(stopping.signal);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !stopping.signal.aborted)
        log.warn({ err: error, what }, 'A repeated task failed; retries continue');
      hasFailed = true;
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await runOnce();
      await pause(pauseMs, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
