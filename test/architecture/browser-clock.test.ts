import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/process.ts';

/** The browser's clock may be wrong by hours. `app/clock.ts` knows that of the service; durations are `performance.now()`. */
const asksBrowser = /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^\s)])|(?<!new )\bDate\(\s*\)/g;
const clock = 'console/src/app/clock.ts';

test('nothing in the console asks the clock of the browser, except the module that corrects it', () => {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root });
  expect(files.length).toBeGreaterThan(250);
  const found = files.filter((file) => readFileSync(join(root, file), 'utf8').match(asksBrowser) !== null);
  expect(found).toEqual([clock]);
});

test.each([
  ['Date.now()', true],
  ['() => Date.now', true],
  ['new Date()', true],
  ['new Date( )', true],
  ['new Date;', true],
  ['Date()', true],
  ['new Date(0)', false],
  ['new Date(run.created_at)', false],
  ['Date.parse(at) < nowMs()', false],
  ['nowDate()', false],
  ['performance.now()', false],
])('the search judges %s', (code, isFound) => {
  expect(code.match(asksBrowser) !== null).toBe(isFound);
});
