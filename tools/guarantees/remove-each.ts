/**
 * `npm run guarantees:removed [-- --only <text>]… [--kind shared|alone]` proves docs/guarantees.md row by row, in a copy of the
 * project: the test of a row must pass with the code at the row's marker, and fail without it. `--only`
 * selects the rows whose test, title or marker contains the text; it may be repeated. `--kind` selects the rows whose
 * tests share the machine, or those whose tests need all of it. Needs the servers of PARLANCE_TEST_*.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readGuarantees, root, type Guarantee } from './guarantees.ts';
import { readMarkers, withoutCode } from './markers.ts';
import { removals } from './removals.ts';
import { runTests, under } from './run-tests.ts';

/** The printed result of a row; all but the first are faults. */
const words = {
  fails: 'fails as expected',
  passes: 'STILL PASSES',
  no_edit: 'THE REMOVAL DOES NOT MATCH',
  not_run: 'DID NOT RUN',
  red: 'FAILS WITH THE CODE',
} as const;

const kindOf = ({ test }: Guarantee) => (/^test\/(chaos|e2e)\//.test(test) ? 'alone' : 'shared');

function chosen(): Guarantee[] {
  const { only = [''], kind } = parseArgs({
    options: { only: { type: 'string', multiple: true }, kind: { type: 'string' } },
  }).values;
  return readGuarantees().guarantees.filter(
    (each) =>
      only.some((text) => `${each.test} ${each.title} ${each.marker}`.includes(text)) &&
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

/** Tests one row without its code in the copy, and restores the code. */
async function without(copy: string, guarantee: Guarantee): Promise<Shown> {
  const [file] = markers.get(guarantee.marker) ?? [];
  const removal = removals[guarantee.marker];
  if (file === undefined || removal === undefined) return { word: 'no_edit', because: '' };
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const shorter = withoutCode({ file, text }, guarantee.marker, removal);
  if (shorter === null) return { word: 'no_edit', because: '' };
  writeFileSync(path, shorter);
  try {
    const { outcomes, broken } = await runTests(copy, guarantee.test, [guarantee.title]);
    const own = under(guarantee.title, outcomes);
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

/** Prints one line for each row of a test file. Answers how many do not match the document. */
async function show(copy: string, [test, rows]: [string, Guarantee[]]): Promise<number> {
  let wrong = 0;
  const say = ({ title, marker }: Guarantee, { word, because }: Shown) => {
    if (word !== 'fails') wrong += 1;
    console.log(
      `${words[word]}: ${test} “${title}” without the code at “guarantee: ${marker}”${because === '' ? '' : `\n    ${because}`}`,
    );
  };
  const { outcomes, broken } = await runTests(
    copy,
    test,
    rows.map(({ title }) => title),
  );
  for (const row of rows) {
    const own = under(row.title, outcomes);
    const failed = own.find(({ hasPassed }) => !hasPassed);
    if (own.length === 0) say(row, { word: 'not_run', because: broken });
    else say(row, failed === undefined ? await without(copy, row) : { word: 'red', because: failed.message });
  }
  return wrong;
}

/** Takes files from the list until none is left, in a copy of its own. Answers how many rows do not match. */
async function lane(files: [string, Guarantee[]][]): Promise<number> {
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
const filesOf = (rows: Guarantee[]) => [...Map.groupBy(rows, ({ test }) => test)];
// Two files side by side, because most tests wait.
const sharing = filesOf(shared);
const wrong = sum(await Promise.all([lane(sharing), lane(sharing)])) + (await lane(filesOf(alone)));
console.log(
  wrong === 0
    ? 'Each test fails without the code that its row names.'
    : `${wrong} rows do not match docs/guarantees.md.`,
);
console.log(`${shared.length + alone.length - wrong} passed, ${wrong} failed`);
process.exitCode = wrong === 0 ? 0 : 1;
