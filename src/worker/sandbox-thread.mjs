import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { isMainThread, workerData } from 'node:worker_threads';

/**
 * Lets this thread enter scripts without the time limit of `vm`, which starts a thread at each entry: 160 µs, and a
 * Workflow task has about five. `entries[0]` is the number of the entry that runs, 0 between entries.
 *
 * @param {Int32Array} entries shared with the thread that watches whether entries return
 */
export function enterWithoutTimeLimit(entries) {
  const run = Reflect.get(Script.prototype, 'runInContext');
  let entry = 0;
  Script.prototype.runInContext = function (context, options) {
    const { timeout, ...others } = options ?? {};
    if (timeout === undefined) return Reflect.apply(run, this, [context, others]);
    const outer = Atomics.load(entries, 0);
    entry = (entry % (2 ** 31 - 1)) + 1;
    Atomics.store(entries, 0, entry);
    try {
      return Reflect.apply(run, this, [context, others]);
    } finally {
      Atomics.store(entries, 0, outer);
    }
  };
}

// What light-sandbox.ts loads into the SDK's threads. Not TypeScript: a thread that has read it keeps the compiler.
if (!isMainThread && workerData?.sandboxEntries !== undefined) {
  enterWithoutTimeLimit(workerData.sandboxEntries);
  const sdk = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared.js');
  // It takes the stack trace of each promise, which only the query `__stack_trace` reads: half of the sandbox's time.
  sdk.globalHandlers.setPromiseHook = () => undefined;
}
