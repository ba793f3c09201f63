import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** Modules that a module loads, types aside. */
const loadedBy = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(statement)].flatMap(([, name]) => name ?? []);

/** Packages and modules of Node that a module reaches, each with the module that loads it. */
function outsideOf(entry: string): string[] {
  const [seen, outside] = [new Set([entry]), new Set<string>()];
  for (const file of seen)
    for (const name of loadedBy(file)) {
      if (name.startsWith('.')) seen.add(join(dirname(file), name));
      else outside.add(`${relative(src, file)}: ${name}`);
    }
  return [...outside];
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, folder, name));

test('graph and template modules run in a browser: they reach no package and no module of Node', () => {
  const entries = [...filesOf('domain/graph'), ...filesOf('domain/template')];
  expect(entries.length).toBeGreaterThan(25);
  expect(entries.flatMap(outsideOf)).toEqual([]);
});

test('the search finds packages and modules of Node through other modules', () => {
  expect(outsideOf(join(src, 'domain/rendering/render.ts'))).toContain(
    'domain/rendering/iana-zones.ts: moment-timezone',
  );
  expect(outsideOf(join(src, 'services/kernel/entity-tag.ts'))).toEqual([
    'services/kernel/entity-tag.ts: node:crypto',
  ]);
});
