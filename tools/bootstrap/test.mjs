/**
 * `npm test`: provisions real servers and runs every check and every test on them; the last line is the
 * total. `--record` stores the seconds of each stage for comparison.
 */
import { fileURLToPath } from 'node:url';
import { bundleRoles } from './bundle-roles.mjs';
import { consoleBuild, jestCheck, runChecks, slowTests, staticChecks, printTotals } from './checks.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { statePath } from './project.mjs';
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
 * Three lanes of stages share the machine: tests of live calls mostly wait, and what computes fills the rest. Checks
 * without servers run while the servers are provided, because a first build of Temporal takes minutes, and beside the
 * tests that wait for servers. Only integration tests need the published clients.
 */
async function testAll(asked, onStarted) {
  const started = Date.now();
  const failed = new AbortController();
  const signal = AbortSignal.any([asked, failed.signal]);
  const orAbort = (error) => {
    failed.abort();
    throw error;
  };
  const servers = Promise.all([startTestServices(onStarted), bundledRoles()])
    .then((variables) => Object.assign({}, ...variables))
    .catch(orAbort);
  const clients = servers.then(clientVariables).catch(orAbort);
  clients.catch(() => undefined); // whoever waits for them gets the error
  const stages = [];
  const stage = async (name, checks, options) => {
    if (signal.aborted) return;
    say(`\n== ${name}`);
    const began = Date.now();
    const outcomes = await runChecks(checks, { ...options, signal });
    stages.push({ name, outcomes, seconds: Math.round((Date.now() - began) / 1000) });
  };
  const live = async (more) => ({
    env: { ...process.env, ...(await servers), ...(await more) },
    live: true,
  });

  // These give way to what talks in real time.
  const niceness = 5;
  await Promise.all([
    (async () => {
      const options = await live();
      stages.push({ name: 'until the servers ran', outcomes: [], seconds: secondsSince(started) });
      const alone = jestCheck('end-to-end tests, alone', ['e2e-alone'], ['--maxWorkers=1']);
      await stage('end-to-end tests, one at a time', [alone], options);
      const others = jestCheck('end-to-end tests', ['e2e'], ['--maxWorkers=2']);
      await stage('end-to-end tests, two at a time', [others], options);
    })(),
    (async () => {
      // More workers than cores, because most of these tests wait for a server or for speech.
      const checks = [jestCheck('integration tests', ['integration'], ['--maxWorkers=4'])];
      const talks = [jestCheck('conversations of a media host', ['conversations'], ['--maxWorkers=3'])];
      const options = await live(clients);
      await Promise.all([
        stage('integration tests', checks, { ...options, niceness }),
        stage('conversations', talks, options),
      ]);
      const inBrowser = jestCheck('tests of the console', ['console'], ['--maxWorkers=3']);
      await stage('console', [consoleBuild(), inBrowser], { ...(await live()), niceness });
    })(),
    stage('without servers', [slowTests(), ...staticChecks()], { width: 2, niceness }),
  ]);
  stages.push({ name: 'everything', outcomes: [], seconds: secondsSince(started) });

  if (!asked.aborted) printStages(stages, { isRecorded: process.argv.includes('--record') });
  const code = printTotals(stages.flatMap(({ outcomes }) => outcomes));
  if (!asked.aborted) return code;
  say(`Interrupted after ${minutes(Date.now() - started)}`);
  return 130;
}

/** Tests start the roles bundled, in half the time. */
async function bundledRoles() {
  const folder = statePath('test', `run-${process.pid}`, 'roles');
  await bundleRoles(folder);
  return { PARLANCE_TEST_ROLES: folder };
}

function secondsSince(moment) {
  return Math.round((Date.now() - moment) / 1000);
}
