/**
 * `node temporal-fetch.mjs <folder>`: has the SDK fetch its dev server into the folder (it starts it once,
 * too).
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version: 'v1.8.2', downloadDir: process.argv[2] } },
});
await environment.teardown();
