import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager } from 'typeorm';
import {
  acrossOrganizations,
  changeRows,
  countRows,
  deleteRows,
  existsRow,
  findRow,
  findRows,
  getRow,
  queryRows,
  selectFrom,
  updateRows,
} from '../../src/db/rows.ts';
import { calls } from '../../src/db/tables/calls.ts';

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

/** None of these is run: the compiler reports one that it accepts. */
const withoutOrganization: ((db: EntityManager) => unknown)[] = [
  // @ts-expect-error -- no organization
  async (db) => await findRow(db, calls, { id: 1 }),
  // @ts-expect-error -- no organization
  async (db) => await getRow(db, calls, { id: 1 }),
  // @ts-expect-error -- no organization
  async (db) => await findRows(db, calls, { id: 1 }),
  // @ts-expect-error -- one of two conditions has no organization
  async (db) => await findRows(db, calls, [{ id: 1, organizationId: 2 }, { id: 3 }]),
  // @ts-expect-error -- no organization
  async (db) => await countRows(db, calls, { id: 1 }),
  // @ts-expect-error -- no organization
  async (db) => await existsRow(db, calls, { id: 1 }),
  // @ts-expect-error -- no organization
  async (db) => await updateRows(db, calls, { where: { id: 1 }, change: { name: 'x' } }),
  // @ts-expect-error -- no organization
  async (db) => await deleteRows(db, calls, { id: 1 }),
  // @ts-expect-error -- no organization
  (db) => selectFrom(db, calls, { as: 'call' }),
  // @ts-expect-error -- the condition would replace the organization
  (db) => selectFrom(db, calls, { as: 'call', organizationId: 2 }).select('call.id').where('call.id = 1'),
  // @ts-expect-error -- the condition would stand beside the organization
  (db) => selectFrom(db, calls, { as: 'call', organizationId: 2 }).orWhere('call.id = 1'),
  // @ts-expect-error -- no organization
  async (db) => await queryRows(db, { sql: 'SELECT id FROM calls' }),
  // @ts-expect-error -- no organization
  async (db) => await changeRows(db, { sql: 'DELETE FROM calls' }),
];
const withReason: ((db: EntityManager) => unknown)[] = [
  async (db) => await findRow(acrossOrganizations(db, 'a test'), calls, { id: 1 }),
  (db) => selectFrom(acrossOrganizations(db, 'a test'), calls, { as: 'call' }).where('call.id = 1'),
];

test('a statement on rows of organizations compiles only with an organization or a reason', () => {
  expect(withoutOrganization).toHaveLength(13);
  expect(withReason).toHaveLength(2);
});
