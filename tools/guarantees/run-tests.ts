import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A run that takes longer is ended: code that was taken out may be what ends it. */
const maxMs = 900_000;
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A title as it is written; what `%s`, `%j` and `$name` stand for may be anything. */
const sourceOf = (title: string) =>
  title
    .split(/%[sjdipo#]|\$[a-z]\w*/i)
    .map(escape)
    .join('.*');

export interface TestOutcome {
  /** Its own, and those of the groups that it is in. */
  titles: string[];
  hasPassed: boolean;
  /** Why it failed, in short; '' when it has passed. */
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

/** Runs the tests of these titles in a copy of the project. `broken`: why a file could not be run, or ''. */
export function runTests(
  copy: string,
  file: string,
  titles: readonly string[],
): { outcomes: TestOutcome[]; broken: string } {
  const report = join(copy, 'removed.json');
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const pattern = titles.map((title) => `(^| )${sourceOf(title)}($| )`).join('|');
  rmSync(report, { force: true });
  const { error } = spawnSync(
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
    { cwd: copy, stdio: 'ignore', timeout: maxMs, killSignal: 'SIGKILL' },
  );
  if (!existsSync(report)) return { outcomes: [], broken: error?.message ?? 'jest wrote no report' };
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

/** Of these the tests, or the group of tests, with a title. */
export function under(title: string, outcomes: readonly TestOutcome[]): TestOutcome[] {
  const pattern = new RegExp(`^${sourceOf(title)}$`);
  return outcomes.filter(({ titles }) => titles.some((each) => pattern.test(each)));
}

/** A suite that several ports run is a file without tests of its own: those beside it run it. */
function filesOf(copy: string, file: string): string[] {
  if (file.endsWith('.test.ts')) return [file];
  const isRunBy = (each: string) =>
    each.endsWith('.test.ts') &&
    readFileSync(join(copy, dirname(file), each), 'utf8').includes(basename(file));
  return readdirSync(join(copy, dirname(file)))
    .filter(isRunBy)
    .map((each) => join(dirname(file), each));
}

/** The first line of a failure, and what differs. */
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
