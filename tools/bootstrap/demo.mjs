/** `npm run demo`: repeats the demonstration on the service that `npm start` runs. */
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo-run.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { StepError } from './report.mjs';
import { askRunning } from './run-lock.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const running = await askRunning();
  if (running?.phase !== 'running')
    throw new StepError(
      'The service does not run',
      'run npm start in another terminal and wait until it says that it runs',
    );
  if (running.apiKey === null)
    throw new StepError(
      'The development API key is not known: the database was seeded by another start',
      'remove .parlance/mysql (it holds only development data) and run npm start, or set a database of its own',
    );
  return runDemo(running);
});
