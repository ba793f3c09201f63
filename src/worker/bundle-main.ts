/**
 * Prints the Workflows as one script: `node src/worker/bundle-main.ts [path of a failure converter]`. A
 * process of its own, because the bundler takes hundreds of megabytes that a process does not give back;
 * warnings go to the other stream.
 */
import { bundleWorkflowCode } from '@temporalio/worker';
import { bundled } from './bundle.ts';

const [, , failureConverterPath] = process.argv;
const tell = (message: string) => void process.stderr.write(`${message}\n`);
const { code } = await bundleWorkflowCode({
  ...bundled,
  ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  logger: {
    log: () => undefined,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: tell,
    error: tell,
  },
});
process.stdout.write(code);
