import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { carrierAdapters } from '../../src/providers/carrier/registry.ts';

const allowed = ['src/providers/carrier/', 'src/config/', 'src/contract/'];

test.each(Object.keys(carrierAdapters))('%s is named only in its folder, config and contract', (name) => {
  const naming = globSync('src/**/*').filter(
    (file) =>
      !allowed.some((folder) => file.startsWith(folder)) &&
      /\.(ts|json)$/.test(file) &&
      readFileSync(file, 'utf8').toLowerCase().includes(name),
  );
  expect(naming).toEqual([]);
});
