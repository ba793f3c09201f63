/**
 * Ordered shutdown of one process. Owns: the reaction to SIGINT and SIGTERM.
 *
 * Invariants: parts stop one after another, the last registered first, so that the resource opened last
 * closes first. A part that fails to stop is logged and the others still stop. The shutdown runs once and
 * takes at most `limitMs`. A second signal after `sameGestureMs` ends the process at once; an earlier one is
 * ignored, because one Ctrl-C may arrive twice, from the terminal and from a supervisor.
 */

import { systemTimer, type Timer } from './timer.ts';

export interface ShutdownLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The part of `process` that is used, so that tests can replace it. */
export interface ShutdownProcess {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  log: ShutdownLog;
  /** Time limit for all parts together, in milliseconds; after it the process exits with code 1. */
  limitMs: number;
  process?: ShutdownProcess;
  timer?: Pick<Timer, 'nowMs'>;
}

const sameGestureMs = 1000;

interface Part {
  name: string;
  stop: () => Promise<unknown> | void;
}

export interface Shutdown {
  /** Registers a part of the process. Parts stop in reverse order of registration. */
  onStop(name: string, stop: () => Promise<unknown> | void): void;
  /** Aborted when the shutdown begins, to end long waits. */
  readonly signalled: AbortSignal;
  /** Starts the shutdown or joins it. Resolves after the call of exit; never rejects. */
  stop(reason: string, exitCode?: number): Promise<void>;
}

/** Listens to SIGINT and SIGTERM and stops the process in order. */
export function createShutdown({
  log,
  limitMs,
  process: host = process,
  timer = systemTimer,
}: ShutdownOptions): Shutdown {
  const parts: Part[] = [];
  const controller = new AbortController();
  let stopping: Promise<void> | undefined;

  async function run(reason: string, exitCode: number): Promise<void> {
    log.info({ reason, limitMs }, 'Stopping');
    controller.abort();
    const limit = deadline(limitMs);
    const failed = await Promise.race([limit.passed, stopAll(parts, log)]);
    limit.clear();
    if (failed === 'late') log.error({ limitMs }, 'The shutdown took too long; exiting with unfinished work');
    host.exit(failed === 0 ? exitCode : 1);
  }

  const stop = (reason: string, exitCode = 0) => (stopping ??= run(reason, exitCode));
  let firstSignalAt: number | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => () => {
    const now = timer.nowMs();
    firstSignalAt ??= now;
    if (now - firstSignalAt < sameGestureMs) return void stop(signal);
    log.error({ reason: signal }, 'Received a second stop signal; exiting with unfinished work');
    host.exit(1);
  };
  host.on('SIGINT', onSignal('SIGINT'));
  host.on('SIGTERM', onSignal('SIGTERM'));
  return {
    onStop: (name, stopPart) => void parts.push({ name, stop: stopPart }),
    signalled: controller.signal,
    stop,
  };
}

/** Stops the parts, last first; answers the number of failed ones. */
async function stopAll(parts: readonly Part[], log: ShutdownLog): Promise<number> {
  let failed = 0;
  for (const { name, stop } of parts.toReversed()) {
    try {
      await stop();
      log.info({ part: name }, 'Stopped');
    } catch (error) {
      failed += 1;
      log.error({ part: name, err: error }, 'A part of the process failed to stop');
    }
  }
  return failed;
}

function deadline(limitMs: number): { passed: Promise<'late'>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  return { passed, clear: () => clearTimeout(timer) };
}
