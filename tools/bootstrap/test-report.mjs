import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { minutes } from './report.mjs';

const reportFile = join(root, 'docs', 'test-report.md');

const head = `# The last full test

\`npm run test:all\` writes this page: the last result of each part, the time it took (minutes:seconds), when, and at which commit.

| Part | Result | Took | Date | Commit |
|---|---|---|---|---|
`;

/** Writes the line of a part; lines of other parts stay. */
export function keepResult({ part, outcome, commit, tookMs, now = new Date() }, file = reportFile) {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /^\| (?!Part )\w/.test(line) && !line.startsWith(`| ${part} |`))
    : [];
  const date = now.toISOString().slice(0, 10);
  lines.push(`| ${part} | ${resultOf(outcome)} | ${minutes(tookMs)} | ${date} | ${commit} |`);
  writeFileSync(file, `${head}${lines.join('\n')}\n`);
}

/** A part that counts tests ends its output with the total. */
function resultOf({ passed, failed, closing }) {
  const sum = /^\d+ passed, \d+ failed$/.exec(closing.at(-1) ?? '')?.[0];
  if (sum !== undefined) return sum;
  return passed + failed === 1 ? (failed === 0 ? 'passed' : 'failed') : `${passed} passed, ${failed} failed`;
}
