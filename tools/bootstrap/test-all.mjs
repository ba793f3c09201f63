/**
 * `npm run test:all [-- --only <part>]…`: runs every test that this project has, for hours: all tests on both
 * database servers, all generated requests, chaos, the guarantees without their code, and the deployment.
 * docs/test-report.md has its last results, one line per part.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { jestCheck, runChecks, printTotals } from './checks.mjs';
import { run } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { root } from './project.mjs';
import { StepError, say } from './report.mjs';
import { stopRequest } from './stop-request.mjs';
import { keepResult } from './test-report.mjs';
import {
  cleanTestFolders,
  clientVariables,
  generatorVariables,
  startTestServices,
} from './test-services.mjs';

const node = (name, ...args) => ({
  name,
  args: args.map((each) => (/\//.test(each) ? join(root, each) : each)),
});

/** Cheapest first. Only parts that need the test servers wait for them. */
const parts = [
  { name: 'verify', needsServers: false, check: () => node('verify', 'tools/verify.mjs') },
  {
    name: 'tests',
    needsServers: true,
    check: () => node('tests', 'tools/bootstrap/test.mjs'),
    env: { PARLANCE_TEST_EVERY_SERVER: 'true', PARLANCE_TEST_GENERATED: 'all' },
  },
  { name: 'generated', needsServers: true, check: () => jestCheck('generated', ['generated']) },
  {
    name: 'chaos',
    needsServers: true,
    check: () => jestCheck('chaos', ['chaos'], ['--maxWorkers=1', '--forceExit']),
  },
  {
    name: 'guarantees',
    needsServers: true,
    check: () => node('guarantees', 'tools/guarantees/remove-each.ts', '--kind', 'shared'),
  },
  {
    name: 'live-guarantees',
    needsServers: true,
    check: () => node('live-guarantees', 'tools/guarantees/remove-each.ts', '--kind', 'alone'),
  },
  { name: 'deploy', needsServers: false, check: () => node('deploy', 'tools/deploy-try/deploy-try.mjs') },
];

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const chosen = chosenParts();
  const stop = stopRequest();
  const running = [];
  const outcomes = [];
  try {
    await installDependencies();
    await cleanTestFolders();
    const commit = await commitOfProject();
    const env = { ...process.env };
    if (chosen.some(({ needsServers }) => needsServers))
      Object.assign(
        env,
        await startTestServices((server) => running.push(server)),
        await clientVariables(),
        await generatorVariables(),
      );
    for (const part of chosen) {
      if (stop.signal.aborted) break;
      say(`\n== ${part.name}`);
      const began = Date.now();
      const options = { env: { ...env, ...part.env }, live: true, signal: stop.signal };
      const [outcome] = await runChecks([part.check()], options);
      outcomes.push(outcome);
      if (!stop.signal.aborted) keepResult({ part: part.name, outcome, commit, tookMs: Date.now() - began });
    }
    return stop.signal.aborted ? 130 : printTotals(outcomes);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await cleanTestFolders();
  }
});

function chosenParts() {
  const { only = [] } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
  const unknown = only.find((each) => parts.every(({ name }) => name !== each));
  if (unknown !== undefined)
    throw new StepError(
      `There is no part ${unknown}`,
      `choose among ${parts.map(({ name }) => name).join(', ')}`,
    );
  return only.length === 0 ? parts : parts.filter(({ name }) => only.includes(name));
}

/** The short commit id, marked when files other than the report differ from the commit. */
async function commitOfProject() {
  const { output: id } = await run('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root });
  const { output: changes } = await run(
    'git',
    ['status', '--porcelain', '--untracked-files=no', '--', ':!docs/test-report.md'],
    { cwd: root },
  );
  return `${id.trim()}${changes.trim() === '' ? '' : ', changed'}`;
}
