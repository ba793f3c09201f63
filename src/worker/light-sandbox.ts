import workerThreads, { type Worker } from 'node:worker_threads';
import { guarded } from '../runtime/guarded.ts';
import type { Logger } from '../runtime/logger.ts';

/** The SDK's file that a thread for Workflows runs. */
const sdkFile = 'workflow-worker-thread.js';
const threadModule = new URL('sandbox-thread.mjs', import.meta.url).href;

/** How long a Workflow may compute without a pause, in seconds; the SDK's own limit. */
const hangSeconds = 5;

/**
 * Takes the time limit and the stack traces of promises out of the SDK's threads for Workflows (sandbox-thread.mjs).
 * In place of the limit, this thread looks once a second whether an entry into a Workflow has returned. After five
 * seconds it ends the other thread, so that the worker fails and the process ends (W2 of run-workers.ts). Call it
 * before workers are created. Answers how to undo it.
 */
export function lightenSandbox(log: Logger): () => void {
  const { Worker: Original } = workerThreads;
  workerThreads.Worker = new Proxy(Original, {
    construct(target, [file, options = {}]: ConstructorParameters<typeof Worker>) {
      if (!String(file).endsWith(sdkFile)) return new target(file, options);
      const entries = new Int32Array(new SharedArrayBuffer(4));
      const thread = new target(file, {
        ...options,
        // Of the process's own options, a thread needs those of a profile (`npm run bench -- --profile`).
        execArgv: [
          ...process.execArgv.filter((each) => each.startsWith('--cpu-prof')),
          '--import',
          threadModule,
        ],
        workerData: { sandboxEntries: entries },
      });
      endWhenHung(thread, entries, log);
      return thread;
    },
  });
  return () => {
    workerThreads.Worker = Original;
  };
}

/** Counts looks and not time, so that a process that was paused does not end when it goes on. */
function endWhenHung(thread: Worker, entries: Int32Array, log: Logger): void {
  let last = 0;
  let looks = 0;
  const look = (): void => {
    const entry = Atomics.load(entries, 0);
    looks = entry !== 0 && entry === last ? looks + 1 : 0;
    last = entry;
    if (looks !== hangSeconds) return;
    log.fatal({ limitSeconds: hangSeconds }, 'A Workflow does not return: its thread is ended');
    // guarantee: hanging-workflow-ends-its-worker
    void thread.terminate();
  };
  const watch = setInterval(
    guarded(look, (error) => log.error({ err: error }, 'The threads of Workflows are not watched')),
    1000,
  ).unref();
  thread.once('exit', () => clearInterval(watch));
}
