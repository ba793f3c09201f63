/**
 * `npm run guarantees:removed [-- --only <text>]… [--kind shared|alone]` proves docs/guarantees.md in a copy of the project:
 * each test below a marker must pass with the code at that marker, and fail without it. `--only` selects the tests whose
 * file, title or marker contains the text; it may be repeated. `--kind` selects the tests that share the machine, or those
 * that need all of it. Needs the servers of PARLANCE_TEST_*.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readMarkedTests, readMarkers, root, withoutCode, type MarkedTest } from './markers.ts';
import { removals } from './removals.ts';
import { runTests, under } from './run-tests.ts';

/** The printed result of a test; all but the first are faults. */
const words = {
  fails: 'fails as expected',
  passes: 'STILL PASSES',
  no_edit: 'THE REMOVAL DOES NOT MATCH',
  not_run: 'DID NOT RUN',
  red: 'FAILS WITH THE CODE',
} as const;

const kindOf = ({ file }: MarkedTest) => (/^test\/(chaos|e2e)\//.test(file) ? 'alone' : 'shared');

function chosen(): MarkedTest[] {
  const { only = [''], kind } = parseArgs({
    options: { only: { type: 'string', multiple: true }, kind: { type: 'string' } },
  }).values;
  return readMarkedTests().filter(
    (each) =>
      only.some((text) => `${each.file} ${each.title} ${each.marker}`.includes(text)) &&
      (kind === undefined || kindOf(each) === kind),
  );
}

/** Copies the project's files without those that git ignores, and links the installed dependencies. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'parlance-removed-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0');
  for (const file of files.filter((each) => each !== '' && existsSync(join(root, each))))
    cpSync(join(root, file), join(copy, file));
  for (const folder of ['node_modules', '.parlance'].filter((each) => existsSync(join(root, each))))
    symlinkSync(join(root, folder), join(copy, folder));
  return copy;
}

/** Runs one test without the code of its marker in the copy, and restores the code. */
async function without(copy: string, { file: test, marker, title }: MarkedTest): Promise<Shown> {
  const [file] = markers.get(marker) ?? [];
  const removal = removals[marker];
  if (file === undefined || removal === undefined) return { word: 'no_edit', because: '' };
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const shorter = withoutCode({ file, text }, marker, removal);
  if (shorter === null) return { word: 'no_edit', because: '' };
  writeFileSync(path, shorter);
  try {
    const { outcomes, broken } = await runTests(copy, test, [title]);
    const own = under(title, outcomes);
    const failed = own.find(({ hasPassed }) => !hasPassed);
    if (failed !== undefined) return { word: 'fails', because: failed.message };
    return own.length === 0 ? { word: 'not_run', because: broken } : { word: 'passes', because: '' };
  } finally {
    writeFileSync(path, text);
  }
}

interface Shown {
  word: keyof typeof words;
  because: string;
}

/** Prints one line for each marker in a test file. Answers how many tests do not prove what they should. */
async function show(copy: string, [file, tests]: [string, MarkedTest[]]): Promise<number> {
  let wrong = 0;
  const say = ({ title, marker }: MarkedTest, { word, because }: Shown) => {
    if (word !== 'fails') wrong += 1;
    console.log(
      `${words[word]}: ${file} “${title}” without the code at “guarantee: ${marker}”${because === '' ? '' : `\n    ${because}`}`,
    );
  };
  const { outcomes, broken } = await runTests(
    copy,
    file,
    tests.map(({ title }) => title),
  );
  for (const test of tests) {
    const own = under(test.title, outcomes);
    const failed = own.find(({ hasPassed }) => !hasPassed);
    if (own.length === 0) say(test, { word: 'not_run', because: broken });
    else
      say(test, failed === undefined ? await without(copy, test) : { word: 'red', because: failed.message });
  }
  return wrong;
}

/** Takes files from the list until none is left, in a copy of its own. Answers how many tests do not prove what they should. */
async function lane(files: [string, MarkedTest[]][]): Promise<number> {
  const copy = copyProject();
  try {
    let wrong = 0;
    for (let next = files.shift(); next !== undefined; next = files.shift()) wrong += await show(copy, next);
    return wrong;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const markers = readMarkers();
const { shared = [], alone = [] } = Object.groupBy(chosen(), kindOf);
const filesOf = (tests: MarkedTest[]) => [...Map.groupBy(tests, ({ file }) => file)];
// Side by side, because most tests wait.
const lanes = 8;
const sharing = filesOf(shared);
const wrong =
  sum(await Promise.all(Array.from({ length: lanes }, async () => await lane(sharing)))) +
  (await lane(filesOf(alone)));
console.log(
  wrong === 0
    ? 'Each test fails without the code of its marker.'
    : `${wrong} tests do not prove what docs/guarantees.md promises.`,
);
console.log(`${shared.length + alone.length - wrong} passed, ${wrong} failed`);
process.exitCode = wrong === 0 ? 0 : 1;
