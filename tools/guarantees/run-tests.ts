import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A longer run is ended: the removed code may be what ends the test. */
const maxMs = 900_000;
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A title as a pattern; `%s`, `%j` and `$name` match anything. */
const sourceOf = (title: string) =>
  title
    .split(/%[sjdipo#]|\$[a-z]\w*/i)
    .map(escape)
    .join('.*');

export interface TestOutcome {
  /** The titles of the test and of its groups. */
  titles: string[];
  hasPassed: boolean;
  /** A short reason of the failure; '' if the test passed. */
  message: string;
}

interface JestReport {
  testResults: {
    message: string;
    assertionResults: {
      title: string;
      ancestorTitles: string[];
      status: string;
      failureMessages: string[];
    }[];
  }[];
}

/** Runs the tests with these titles in a copy of the project. `broken`: why a file could not run, or ''. */
export async function runTests(
  copy: string,
  file: string,
  titles: readonly string[],
): Promise<{ outcomes: TestOutcome[]; broken: string }> {
  const report = join(copy, 'removed.json');
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const pattern = titles.map((title) => `(^| )${sourceOf(title)}($| )`).join('|');
  rmSync(report, { force: true });
  const jestRun = spawn(
    process.execPath,
    [
      ...jest,
      '--runTestsByPath',
      ...filesOf(copy, file),
      '-t',
      pattern,
      '--json',
      '--outputFile',
      report,
      '--forceExit',
    ],
    {
      cwd: copy,
      // A usual run leaves out some points of chaos tests, perhaps the one that needs the removed code.
      // What the code did is waited for in vain.
      env: { ...process.env, PARLANCE_TEST_GENERATED: 'all', PARLANCE_TEST_WAIT_MS: '60000' },
      stdio: 'ignore',
      timeout: maxMs,
      killSignal: 'SIGKILL',
    },
  );
  await once(jestRun, 'close');
  if (!existsSync(report)) return { outcomes: [], broken: 'jest wrote no report' };
  const { testResults }: JestReport = JSON.parse(readFileSync(report, 'utf8'));
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
  return {
    outcomes: ran.map(({ title, ancestorTitles, status, failureMessages }) => ({
      titles: [...ancestorTitles, title],
      hasPassed: status === 'passed',
      message: inShort(failureMessages.join('\n')),
    })),
    broken: inShort(testResults.map(({ message }) => message).join('\n')),
  };
}

/** The tests, or the group of tests, with a title. */
export function under(title: string, outcomes: readonly TestOutcome[]): TestOutcome[] {
  const pattern = new RegExp(`^${sourceOf(title)}$`);
  return outcomes.filter(({ titles }) => titles.some((each) => pattern.test(each)));
}

/** A suite for several ports is a file without its own tests: the test files beside it run it. */
function filesOf(copy: string, file: string): string[] {
  if (file.endsWith('.test.ts')) return [file];
  const isRunBy = (each: string) =>
    each.endsWith('.test.ts') &&
    readFileSync(join(copy, dirname(file), each), 'utf8').includes(basename(file));
  return readdirSync(join(copy, dirname(file)))
    .filter(isRunBy)
    .map((each) => join(dirname(file), each));
}

/** The first line of a failure, and the differences. */
function inShort(message: string): string {
  const plain = message.replaceAll(/\u001B\[\d+m/g, ''); // oxlint-disable-line no-control-regex -- jest's colors
  const lines = plain
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines
    .filter(
      (line, index) =>
        index === 0 || /^[-+] (?!Expected|Received)/.test(line) || /^(Expected|Received)[^:]*: /.test(line),
    )
    .slice(0, 4)
    .join(' | ')
    .slice(0, 240);
}
