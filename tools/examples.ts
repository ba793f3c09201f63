/**
 * Writes examples/api-answers.json: sends the examples of src/contract/examples.ts to a running API and
 * stores its answers. `npm run examples`, with the PARLANCE_TEST_* addresses of a running MariaDB and
 * Temporal; then `npm run openapi`. A stored answer stays unchanged while the new one has the same keys.
 */
import { writeFileSync } from 'node:fs';
import { exampleAnswersFile, readExampleAnswers } from '../src/contract/example-answers.ts';
import type { ExampleAnswers } from '../src/contract/example.ts';
import { examples } from '../src/contract/examples.ts';
import { keptAnswers } from './examples/keep.ts';
import { asTestRun } from '../test/support/test-run.mjs';
import { runExamples, type ExampleResult } from '../test/support/run-examples.ts';

const results: ExampleResult[] = [];
await asTestRun(() =>
  runExamples('mariadb', (each) => {
    const isAsExpected = each.status === each.expected;
    console.log(
      `${isAsExpected ? 'ok  ' : 'FAIL'} ${each.name} ${each.kind} ${each.status}${isAsExpected ? '' : `, expected ${each.expected}: ${JSON.stringify(each.answer)}`}`,
    );
    results.push(each);
  }),
);
if (results.some(({ status, expected }) => status !== expected)) process.exitCode = 1;
else {
  const answers: Readonly<Record<string, ExampleAnswers>> = keptAnswers({
    results,
    before: readExampleAnswers(),
    examples,
  });
  writeFileSync(exampleAnswersFile, `${JSON.stringify(answers, null, 1)}\n`);
}
