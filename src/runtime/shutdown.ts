/**
 * Ordered shutdown of one process. Owns: the reaction to SIGINT and SIGTERM.
 *
 * Invariants: steps run one after another, the last registered first, so that the resource opened last closes
 * first. A failed step is logged and the others still run. The shutdown runs once and takes at most
 * `limitMs`. A second signal after `sameGestureMs` ends the process at once; an earlier one is ignored,
 * because one Ctrl-C may arrive twice, from the terminal and from a supervisor.
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
  /** Time limit for all steps together, in milliseconds; after it the process exits with code 1. */
  limitMs: number;
  process?: ShutdownProcess;
  timer?: Pick<Timer, 'nowMs'>;
}

const sameGestureMs = 1000;

export interface Shutdown {
  /** Registers a step. Steps run in reverse order of registration. */
  onStop(name: string, step: () => Promise<unknown> | void): void;
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
  const steps: { name: string; step: () => Promise<unknown> | void }[] = [];
  const controller = new AbortController();
  let stopping: Promise<void> | undefined;

  async function run(reason: string, exitCode: number): Promise<void> {
    log.info({ reason, limitMs }, 'Stopping');
    controller.abort();
    const limit = deadline(limitMs);
    const failed = await Promise.race([limit.passed, runSteps(steps, log)]);
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
  return { onStop: (name, step) => void steps.push({ name, step }), signalled: controller.signal, stop };
}

/** Runs the steps, last first; answers the number of failed ones. */
async function runSteps(
  steps: { name: string; step: () => Promise<unknown> | void }[],
  log: ShutdownLog,
): Promise<number> {
  let failed = 0;
  for (const { name, step } of steps.toReversed()) {
    try {
      await step();
      log.info({ step: name }, 'Stopped');
    } catch (error) {
      failed += 1;
      log.error({ step: name, err: error }, 'A shutdown step failed');
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
