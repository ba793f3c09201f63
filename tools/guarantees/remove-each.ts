/**
 * `npm run guarantees:removed [-- --only <text>]…`: shows what docs/guarantees.md says. For each row the code
 * that it names is taken out of a copy of the project, and the test that it names is run there: it must fail.
 * Before that the test is run as it is: it must pass. `--only` takes the rows with that text, among their
 * test's file and title and their code's file; it may be given several times. On the servers of
 * PARLANCE_TEST_*.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readGuarantees, root, type Guarantee } from './guarantees.ts';
import { removalOf } from './removals.ts';
import { runTests, under } from './run-tests.ts';

/** What is said of a row; all but the first are wrong. */
const words = {
  fails: 'fails as it must',
  passes: 'STILL PASSES',
  no_edit: 'THE EDIT NO LONGER APPLIES',
  not_run: 'WAS NOT RUN',
  red: 'FAILS AS IT IS',
} as const;

function chosen(): Guarantee[] {
  const { only = [] } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
  const { guarantees } = readGuarantees();
  return only.length === 0
    ? guarantees
    : guarantees.filter(({ test, title, source }) =>
        only.some((text) => `${test} ${title} ${source}`.includes(text)),
      );
}

/** The project as it lies here, without what git ignores; what is installed is linked. */
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

/** With the code of one row taken out of the copy; it is put back. */
function without(copy: string, guarantee: Guarantee): { word: keyof typeof words; because: string } {
  const path = join(copy, guarantee.source);
  const text = readFileSync(path, 'utf8');
  const [find, replace] = removalOf(guarantee) ?? ['', ''];
  if (find === '' || !text.includes(find)) return { word: 'no_edit', because: '' };
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const { outcomes, broken } = runTests(copy, guarantee.test, [guarantee.title]);
    const own = under(guarantee.title, outcomes);
    const failed = own.find(({ hasPassed }) => !hasPassed);
    if (failed !== undefined) return { word: 'fails', because: failed.message };
    return own.length === 0 ? { word: 'not_run', because: broken } : { word: 'passes', because: '' };
  } finally {
    writeFileSync(path, text);
  }
}

/** One line for each row. Answers how many rows are not as the document says. */
function showAll(copy: string): number {
  let wrong = 0;
  const say = (
    { test, title, source }: Guarantee,
    { word, because }: { word: keyof typeof words; because: string },
  ) => {
    if (word !== 'fails') wrong += 1;
    console.log(
      `${words[word]}: ${test} “${title}” without its code in ${source}${because === '' ? '' : `\n    ${because}`}`,
    );
  };
  for (const [test, rows] of Map.groupBy(chosen(), (each) => each.test)) {
    const { outcomes, broken } = runTests(
      copy,
      test,
      rows.map(({ title }) => title),
    );
    for (const row of rows) {
      const own = under(row.title, outcomes);
      const failed = own.find(({ hasPassed }) => !hasPassed);
      if (own.length === 0) say(row, { word: 'not_run', because: broken });
      else say(row, failed === undefined ? without(copy, row) : { word: 'red', because: failed.message });
    }
  }
  return wrong;
}

const copy = copyProject();
try {
  const wrong = showAll(copy);
  console.log(
    wrong === 0
      ? 'Each test fails without the code that its row names.'
      : `${wrong} rows are not as docs/guarantees.md says.`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
