/**
 * Prints the Workflows as one script: `node src/worker/bundle-main.ts [path of a failure converter]`. It runs
 * as a separate process, because the bundler takes hundreds of megabytes that a process does not release.
 * Warnings go to standard error.
 */
import { bundleWorkflowCode } from '@temporalio/worker';
import { bundled } from './bundle.ts';

const [, , failureConverterPath] = process.argv;
const print = (message: string) => void process.stderr.write(`${message}\n`);
const { code } = await bundleWorkflowCode({
  ...bundled,
  ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  logger: {
    log: () => undefined,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: print,
    error: print,
  },
});
process.stdout.write(code);
