import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

type Sources = readonly (readonly [file: string, text: string])[];

const src = join(import.meta.dirname, '../../src');
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;
/** These put rooms together, and nothing within a room imports them. */
const compositionRoot = /(?:^|\/)(?:main|[^/]+-main|compose|index)\.ts$/;

/**
 * Circles of folders, each with the imports that close it. At every level of `src`, the folders of one folder and
 * the files that lie loose in it import each other's values one way.
 */
function circles(sources: Sources): string[][] {
  const imports = sources
    .filter(([file]) => !compositionRoot.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(statement)].map(([, name = '']) => [file, join(dirname(file), name)] as const),
    );
  const parents = new Set(sources.flatMap(([file]) => above(file)));
  return [...parents].flatMap((parent) => circlesWithin(parent, imports));
}

/** The folders that a file is in, at any depth. */
const above = (file: string): string[] => (file === '.' ? [] : [dirname(file), ...above(dirname(file))]);

function circlesWithin(parent: string, imports: readonly (readonly [string, string])[]): string[][] {
  const prefix = parent === '.' ? '' : `${parent}/`;
  /** The folder of the parent that a file is in; `.` for a loose file, null for one outside. */
  const roomOf = (file: string): string | null => {
    if (!file.startsWith(prefix)) return null;
    const end = file.indexOf('/', prefix.length);
    return end === -1 ? '.' : file.slice(prefix.length, end);
  };
  const between = Map.groupBy(
    imports.flatMap(([from, to]) => {
      const [a, b] = [roomOf(from), roomOf(to)];
      return a === null || b === null || a === b ? [] : [{ a, b, shown: `${from} → ${to}` }];
    }),
    ({ a }) => a,
  );
  const reached = (from: string): Set<string> => {
    const found = new Set<string>();
    const open = [from];
    for (const room of open)
      for (const { b } of between.get(room) ?? [])
        if (!found.has(b)) {
          found.add(b);
          open.push(b);
        }
    return found;
  };
  const inCircle = [...between.keys()].filter((room) => reached(room).has(room));
  const closing = inCircle.flatMap((room) =>
    (between.get(room) ?? []).filter(({ b }) => reached(b).has(room)).map(({ shown }) => shown),
  );
  return closing.length === 0 ? [] : [closing];
}

test('no folders of src import each other in a circle, at any level', () => {
  const files = globSync('**/*.ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(500);
  expect(circles(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))).toEqual([]);
});

test.each<[string, Sources]>([
  [
    'of two folders',
    [
      ['domain/a/one.ts', "import { two } from '../b/two.ts';\n"],
      ['domain/b/three.ts', "export { one } from '../a/one.ts';\n"],
    ],
  ],
  [
    'through a folder within',
    [
      ['domain/a/x/one.ts', "import {\n  two,\n} from '../../b/two.ts';\n"],
      ['domain/b/two.ts', "import '../a/three.ts';\n"],
    ],
  ],
  [
    'of a folder and one within it',
    [
      ['api/one.ts', "import { two } from './routes/two.ts';\n"],
      ['api/routes/two.ts', "import { three } from '../three.ts';\n"],
    ],
  ],
])('the search finds a circle %s', (_, sources) => {
  expect(circles(sources)).toEqual([expect.arrayContaining([expect.stringContaining('one.ts')])]);
});

test('the search allows a circle that only types or a composition root close', () => {
  const back = ['domain/b/two.ts', "import type { One } from '../a/one.ts';\n"] as const;
  const root = ['domain/b/compose.ts', "import { one } from '../a/one.ts';\n"] as const;
  expect(circles([['domain/a/one.ts', "import { two } from '../b/two.ts';\n"], back, root])).toEqual([]);
});
