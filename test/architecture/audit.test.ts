import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

/** They store nothing, so they have no transaction. */
const withoutTransaction = [
  'src/services/agents/agent-tools/test-tool.ts',
  'src/services/kernel/files/presign.ts',
];

test('an audit entry is written in the transaction of its change, and is gone when the change is rolled back', () => {
  const calls = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?<!function )\bappendAudit\((\w[\w.]*)/g)].map(
      (match) => ({ file, manager: match[1] }),
    ),
  );
  expect(calls.length).toBeGreaterThan(30);
  expect(
    calls
      .filter(({ manager }) => manager !== 'tx')
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(withoutTransaction);
});
