/**
 * `npm test`: provisions real servers, then runs every check and every test on them; the last line is the
 * sum.
 */
import { fileURLToPath } from 'node:url';
import { jestCheck, runChecks, staticChecks, tellTotals } from './checks.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { minutes, say } from './report.mjs';
import { stopRequest } from './stop-request.mjs';
import { cleanTestFolders, clientVariables, startTestServices } from './test-services.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const stop = stopRequest();
  const running = [];
  try {
    await installDependencies();
    await cleanTestFolders();
    const services = await startTestServices((server) => running.push(server));
    return await testOn({ ...services, ...(await clientVariables()) }, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await cleanTestFolders();
  }
});

async function testOn(services, signal) {
  const started = Date.now();
  const env = { ...process.env, ...services };
  const outcomes = [];
  const groups = [
    { checks: staticChecks(), width: 2, live: false },
    { checks: [jestCheck('integration tests', 'integration')], width: 1, live: true },
    // One at a time: whole processes that talk in real time, and are killed, must not starve each other on
    // two cores.
    { checks: [jestCheck('end-to-end tests', 'e2e', ['--maxWorkers=1'])], width: 1, live: true },
  ];
  for (const { checks, width, live } of groups) {
    say(`\n== ${checks.map(({ name }) => name).join(', ')}`);
    if (!signal.aborted) outcomes.push(...(await runChecks(checks, { width, live, env, signal })));
  }
  const code = tellTotals(outcomes);
  if (!signal.aborted) return code;
  say(`Interrupted after ${minutes(Date.now() - started)}`);
  return 130;
}
