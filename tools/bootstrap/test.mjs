/**
 * `npm test`: provisions real servers and runs every check and every test on them; the last line is the
 * total. `--record` stores the seconds of each stage for comparison.
 */
import { fileURLToPath } from 'node:url';
import { jestCheck, runChecks, slowTests, staticChecks, printTotals } from './checks.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { minutes, say } from './report.mjs';
import { printStages } from './stages.mjs';
import { stopRequest } from './stop-request.mjs';
import { cleanTestFolders, clientVariables, startTestServices } from './test-services.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const stop = stopRequest();
  const running = [];
  try {
    await installDependencies();
    await cleanTestFolders();
    return await testAll(stop.signal, (server) => running.push(server));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await cleanTestFolders();
  }
});

/**
 * Checks without servers run while the servers are provided, because a first build of Temporal takes minutes.
 */
async function testAll(asked, onStarted) {
  const started = Date.now();
  const failed = new AbortController();
  const signal = AbortSignal.any([asked, failed.signal]);
  const provided = provideServices(onStarted).catch((error) => {
    failed.abort();
    throw error;
  });
  const stages = [];
  const stage = async (name, checks, options) => {
    if (signal.aborted) return;
    say(`\n== ${name}`);
    const began = Date.now();
    const outcomes = await runChecks(checks, { ...options, signal });
    stages.push({ name, outcomes, seconds: Math.round((Date.now() - began) / 1000) });
  };

  await stage('without servers', [slowTests(), ...staticChecks()], { width: 3 });
  const waited = Date.now();
  const env = { ...process.env, ...(await provided) };
  stages.push({
    name: 'waiting for servers',
    outcomes: [],
    seconds: Math.round((Date.now() - waited) / 1000),
  });
  const live = { env, live: true };
  // More workers than cores, because most of these tests wait for a server or for speech.
  await stage(
    'integration tests',
    [jestCheck('integration tests', ['integration'], ['--maxWorkers=5'])],
    live,
  );
  await stage('end-to-end tests, two at a time', [jestCheck('end-to-end tests', ['e2e', 'console'])], live);
  const alone = jestCheck('end-to-end tests, alone', ['e2e-alone'], ['--maxWorkers=1']);
  await stage('end-to-end tests, one at a time', [alone], live);

  if (!asked.aborted) printStages(stages, { isRecorded: process.argv.includes('--record') });
  const code = printTotals(stages.flatMap(({ outcomes }) => outcomes));
  if (!asked.aborted) return code;
  say(`Interrupted after ${minutes(Date.now() - started)}`);
  return 130;
}

async function provideServices(onStarted) {
  return { ...(await startTestServices(onStarted)), ...(await clientVariables()) };
}
