import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  closingLines,
  countsOf,
  failingTests,
  runChecks,
  withoutPassed,
} from '../../../tools/bootstrap/checks.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function jestCounts(counts: object | null, code: number) {
  const jest = join(folder, 'counts.json');
  if (counts !== null) writeFileSync(jest, JSON.stringify(counts));
  return countsOf({ name: 'unit tests', args: [], jest }, code);
}

describe('the totals of a test run', () => {
  test('contain the counts of jest', () => {
    expect(jestCounts({ numPassedTests: 5, numFailedTests: 2, numRuntimeErrorTestSuites: 0 }, 1)).toEqual({
      passed: 5,
      failed: 2,
    });
  });

  test('count a suite that could not run as a failure', () => {
    expect(jestCounts({ numPassedTests: 5, numFailedTests: 0, numRuntimeErrorTestSuites: 1 }, 1)).toEqual({
      passed: 5,
      failed: 1,
    });
  });

  test('count a runner with a bad exit code as a failure, even if all its tests passed', () => {
    expect(jestCounts({ numPassedTests: 5, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }, 1)).toEqual({
      passed: 5,
      failed: 1,
    });
    expect(jestCounts(null, 0)).toEqual({ passed: 0, failed: 1 });
  });

  test('count any other check as one', () => {
    expect(countsOf({ name: 'lint', args: [] }, 0)).toEqual({ passed: 1, failed: 0 });
    expect(countsOf({ name: 'lint', args: [] }, 1)).toEqual({ passed: 0, failed: 1 });
  });

  test('name each failed test once, and leave out the files that passed', () => {
    const output =
      'PASS unit a.test.ts\nFAIL unit b.test.ts\n  ● a thing › works\n\n    expected\n\n  ● a thing › works\nTests: 1 failed\n';
    expect(failingTests(output)).toEqual(['● a thing › works']);
    expect(withoutPassed(output)).not.toContain('PASS');
    expect(withoutPassed(output)).toContain('FAIL unit b.test.ts');
  });

  test('repeat the closing lines of jest', () => {
    expect(
      closingLines(
        'PASS a\n\nTest Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nSnapshots:   0 total\nTime:        1 s\nRan all test suites.\n',
      ),
    ).toEqual([
      'Test Suites: 1 passed, 1 total',
      'Tests:       3 passed, 3 total',
      'Snapshots:   0 total',
      'Time:        1 s',
    ]);
  });

  test('repeat the totals of a run of several runners', () => {
    expect(closingLines('Test Suites: 1 passed, 1 total\n\n7 passed, 0 failed\n')).toEqual([
      '7 passed, 0 failed',
    ]);
  });
});

test('a check runs with its own environment', async () => {
  const source = 'console.log(process.env.LIMIT)';
  const [outcome] = await runChecks([{ name: 'limit', args: ['-e', source], env: { LIMIT: '3' } }]);
  expect(outcome).toMatchObject({ passed: 1, failed: 0, closing: ['3'] });
});
