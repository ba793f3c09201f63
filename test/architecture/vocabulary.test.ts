import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

/**
 * Files that may use wire names: schemas, their bindings to verbs, clients that call them, mappers of rows,
 * and names inside customers' graphs and templates.
 */
const allowed = [
  /^src\/contract\//,
  /^src\/api\/routes\//,
  /^src\/cli\/remote\//,
  /\/mapper\.ts$/,
  /^src\/domain\/template\/(?:variables|own-names)\.ts$/,
  /^src\/domain\/agent-templates\/compose\.ts$/,
  /^src\/domain\/call\/initial-context\.ts$/,
  /^src\/domain\/campaign\/call-context\.ts$/,
  /^src\/domain\/graph\/(?:node-kinds|catalog\/\w+)\.ts$/,
];

test('inner code says Agent and Call; wire names stay at the edges (docs/glossary.md)', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !allowed.some((place) => place.test(file)),
  );
  const found = files.filter((file) =>
    /\bworkflow_(id|uuid|name|definition|configurations|json|run)/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
