import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('no package runs a script while it is installed', () => {
  expect(readFileSync(new URL('../../.npmrc', import.meta.url), 'utf8').split('\n')).toContain(
    'ignore-scripts=true',
  );
});
