import type { Logger } from './logger.ts';
import { pause } from './pause.ts';

export interface Repeating {
  /** For logs. */
  what: string;
  /** Pause between the end of one run and the beginning of the next. */
  pauseMs: number;
  work: (signal: AbortSignal) => Promise<unknown>;
  log: Logger;
}

/**
 * Runs `work` again and again until it is stopped; what it throws is logged once for each row of failures.
 * `stop` waits for a run that is under way.
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
        log.warn({ err: error, what }, 'What is done again and again failed; it is tried on');
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
