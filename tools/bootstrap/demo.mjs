/** `npm run demo`: repeats the demonstration on the service of `npm start`. */
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo-run.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { StepError } from './report.mjs';
import { askRunning } from './run-lock.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const running = await askRunning();
  if (running?.phase !== 'running')
    throw new StepError(
      'The service is not running',
      'run npm start in another terminal and wait for “Running”',
    );
  if (running.apiKey === null)
    throw new StepError(
      'The development API key is unknown, because another start seeded the database',
      'remove .parlance/mysql (it contains only development data) and run npm start, or set another DATABASE_URL',
    );
  return runDemo(running);
});
