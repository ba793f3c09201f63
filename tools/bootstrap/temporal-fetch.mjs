/**
 * `node temporal-fetch.mjs <folder>`: lets the SDK download its dev server into the folder. The SDK also
 * starts it once.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version: 'v1.8.2', downloadDir: process.argv[2] } },
});
await environment.teardown();
