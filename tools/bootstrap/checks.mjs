import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { cacheHome } from './cache.mjs';
import { minutes, say } from './report.mjs';
import { folder, root, statePath } from './project.mjs';
import { frugalGo, tail } from './command.mjs';

/**
 * A check is `{ name, args, jest?, env?, onPass? }`: arguments for node; `jest` is the file that jest writes its counts
 * to; `env` is added to the environment; `onPass` is called when it has passed. Its outcome is `{ name, passed, failed, closing }`; a check without a test runner
 * counts as one.
 */

const bin = (...parts) => join(root, 'node_modules', ...parts);

/** A jest run over projects of jest.config.mjs. */
export function jestCheck(name, projects, extra = []) {
  const counts = join(folder(statePath('test')), `jest-${projects.join('-')}-${process.pid}.json`);
  return {
    name,
    jest: counts,
    args: [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      bin('jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${counts}`,
      ...extra,
    ],
  };
}

/** Tests without servers that wait on sockets or compute for seconds. */
export const slowTests = () => jestCheck('slow unit tests', ['slow'], ['--maxWorkers=2']);

/** The checks that need no service and take seconds, slowest first. */
export function staticChecks() {
  return [
    {
      name: 'lint',
      args: [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'],
      env: frugalGo,
    },
    jestCheck('unit tests', ['unit']),
    typeCheck('types', '.'),
    typeCheck('types of the console', 'console'),
    { name: 'format', args: [bin('oxfmt', 'bin', 'oxfmt'), '--check', '.'] },
    { name: 'documents', args: [join(root, 'tools', 'check-docs.ts')] },
    { name: 'declaration', args: [join(root, 'tools', 'declaration.ts'), '--check'] },
  ];
}

/**
 * One checker takes half the processor time of the usual four, which check shared types again. What it has found out is
 * kept, so that the next run checks what has changed. A new clone begins with what another one of this user found out:
 * paths are relative, and files are known by their content.
 */
function typeCheck(name, project) {
  const known = join(folder(statePath('types')), `${project === '.' ? 'service' : project}.tsbuildinfo`);
  const shared = join(folder(join(cacheHome(), 'types')), basename(known));
  if (!existsSync(known) && existsSync(shared)) copyFileSync(shared, known);
  const kept = ['--incremental', '--tsBuildInfoFile', known];
  return {
    name,
    args: [bin('typescript', 'bin', 'tsc'), '--noEmit', '--checkers', '1', '-p', project, ...kept],
    env: frugalGo,
    onPass: () => copyWhole(known, shared),
  };
}

/** Copies a file; who reads it meanwhile finds the old one or the new one. */
function copyWhole(from, to) {
  const part = `${to}.part-${process.pid}`;
  copyFileSync(from, part);
  renameSync(part, to);
}

/** Builds the console. Whatever opens it must come later. */
export const consoleBuild = () => ({
  name: 'console',
  args: [join(root, 'tools', 'bootstrap', 'console.mjs')],
});

/**
 * Runs the checks, `width` at a time, and answers their outcomes in order. `niceness` (0 to 19): how far they give
 * way to other checks.
 */
export async function runChecks(
  checks,
  { width = 1, env = process.env, live = false, niceness = 0, signal } = {},
) {
  const outcomes = [];
  const waiting = [...checks.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      outcomes[next[0]] = await runCheck(next[1], {
        env: { ...env, ...next[1].env },
        live,
        niceness,
        signal,
      });
  };
  await Promise.all(Array.from({ length: width }, lane));
  return outcomes;
}

async function runCheck(check, { env, live, niceness, signal }) {
  const started = Date.now();
  const { code, output } = await runNode(check.args, { env, live, niceness, signal });
  const outcome = {
    name: check.name,
    ...countsOf(check, code),
    failures: failingTests(output),
    closing: closingLines(output),
  };
  if (outcome.failed === 0) check.onPass?.();
  say(`${outcome.failed === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${minutes(Date.now() - started)})`);
  if (outcome.failed > 0 && !live) say(tail(withoutPassed(output), 120));
  return outcome;
}

/** Jest's JSON goes to the file and not to the output. */
function runNode(args, { env, live, niceness, signal }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    if (niceness > 0 && child.pid !== undefined) giveWay(child.pid, niceness);
    const chunks = [];
    const end = () => endGroup(child.pid);
    signal?.addEventListener('abort', end, { once: true });
    child.stdout.setEncoding('utf8').on('data', (chunk) => args.includes('--json') || keep(chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => keep(chunk));
    const keep = (chunk) => {
      chunks.push(chunk);
      if (live) process.stdout.write(chunk);
    };
    child.once('error', (error) => chunks.push(error.message));
    child.once('close', (code) => {
      signal?.removeEventListener('abort', end);
      resolve({ code: code ?? 1, output: chunks.join('') });
    });
  });
}

/** Linux may share the processor between sessions first (`sched_autogroup_enabled`); a session has its own niceness. */
function giveWay(pid, niceness) {
  setPriority(pid, niceness);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // this kernel has no such groups
  }
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the process group has already ended
  }
}

/**
 * Counts of a jest file; a file that is missing or counts nothing is one failure. Anything else counts as one
 * check.
 */
export function countsOf(check, code) {
  if (check.jest === undefined) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!existsSync(check.jest)) return { passed: 0, failed: 1 };
  const counts = readCounts(JSON.parse(readFileSync(check.jest, 'utf8')));
  rmSync(check.jest, { force: true });
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** A suite that could not run counts as one failure. */
export function readCounts({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** A runner's output without the files that passed, so that a truncated log still shows the failures. */
export function withoutPassed(output) {
  return output
    .split('\n')
    .filter((line) => !line.startsWith('PASS '))
    .join('\n');
}

/** Names of the failed tests in jest's output, each once. */
export function failingTests(output) {
  return [
    ...new Set(
      output
        .split('\n')
        .filter((line) => /^\s+● .+/.test(line))
        .map((line) => line.trim()),
    ),
  ];
}

/** The last lines of a runner: the totals of a whole run, else jest's summary, else the last line. */
export function closingLines(output) {
  const lines = output.trimEnd().split('\n');
  if (/^\d+ passed, \d+ failed$/.test(lines.at(-1) ?? '')) return lines.slice(-1);
  const summary = lines.findLastIndex((line) => line.startsWith('Test Suites:'));
  return summary === -1 ? lines.slice(-1) : lines.slice(summary, summary + 4);
}

/**
 * Prints the end of a whole run: each runner's closing lines, then one line of totals. Answers the exit code.
 */
export function printTotals(outcomes) {
  say();
  for (const { name, closing } of outcomes)
    say([`${name}:`, ...closing.map((line) => `  ${line}`)].join('\n'));
  const failures = outcomes.flatMap((each) => each.failures ?? []);
  if (failures.length > 0) say(['', ...failures.slice(0, 40)].join('\n'));
  const passed = outcomes.reduce((sum, each) => sum + each.passed, 0);
  const failed = outcomes.reduce((sum, each) => sum + each.failed, 0);
  say();
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
