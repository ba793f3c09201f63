import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * `src/db/rows.ts` demands an organization by type for every statement on a table that has one. These files
 * talk to the database without it.
 */
const withoutRows: Record<string, string> = {
  'src/db/rows.ts': 'it makes the statements',
  'src/db/data-source.ts': 'it opens connections',
  'src/db/migrate.ts': 'it migrates',
  'src/db/migrations/0.1.0-initial.ts': 'it creates the tables',
};

/** TypeORM's and the driver's ways to send a statement; `SELECT 1` asks whether the database answers. */
const direct = /\.(?:getRepository|createQueryBuilder|query)\((?!'SELECT 1'\))/;

test('only src/db/rows.ts sends statements, so that each names an organization or says why it does not', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  const typeorm = sources.filter(([, text]) => /from '(?:typeorm|mysql2[^']*)'/.test(text));
  expect(typeorm.length).toBeGreaterThan(50);
  expect(
    typeorm.flatMap(([file, text]) => (direct.test(text) && !(file in withoutRows) ? [file] : [])),
  ).toEqual([]);
});
