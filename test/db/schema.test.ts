import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations.ts';
import { tables } from '../../src/db/tables.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  bothDatabases,
  type EmptyDatabase,
  type TestDatabase,
} from '../support/database.ts';

describe.each(bothDatabases)('the schema on %s', (kind) => {
  let database: TestDatabase;
  let db: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ({ db } = database);
  });
  afterAll(async () => await database.drop());

  const rows = async (sql: string): Promise<Record<string, unknown>[]> => await db.query(sql);

  test('the data source speaks the dialect of the server', () => {
    expect(db.options.type).toBe(kind);
  });

  test('migrations of an empty database give the schema of the entities', async () => {
    const difference = await db.driver.createSchemaBuilder().log();
    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });

  test('migrating a second time does nothing', async () => {
    expect(await migrate(db)).toEqual([]);
  });

  test('every key, index and reference has a descriptive name', async () => {
    const indexes = await rows(
      'SELECT DISTINCT table_name AS t, index_name AS n, non_unique AS u FROM information_schema.statistics WHERE table_schema = DATABASE()',
    );
    for (const { t, n, u } of indexes.filter((each) => each['n'] !== 'PRIMARY'))
      expect(String(n)).toMatch(new RegExp(`^${Number(u) === 0 ? 'uq' : '(ix|fk)'}_${String(t)}_`));
    const references = await rows(
      'SELECT table_name AS t, constraint_name AS n FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()',
    );
    expect(references.length).toBeGreaterThan(20);
    for (const { t, n } of references) expect(String(n)).toMatch(new RegExp(`^fk_${String(t)}_`));
  });

  test('every row belongs to an existing organization, except organizations, people, our processes and installation-wide rows', async () => {
    const ofNone = new Set<string>([
      'organizations',
      'users',
      'second_factors',
      'media_hosts',
      'installation_stops',
    ]);
    const referenced = await rows(
      "SELECT table_name AS t FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND column_name = 'organization_id' AND referenced_table_name = 'organizations' AND referenced_column_name = 'id'",
    );
    expect(new Set(referenced.map(({ t }) => t))).toEqual(
      new Set(tables.map((table) => table.options.name).filter((name) => !ofNone.has(name))),
    );
  });

  test('no text has a collation that equates different letters', async () => {
    const columns = await rows(
      "SELECT table_name AS t, column_name AS c, collation_name AS k FROM information_schema.columns WHERE table_schema = DATABASE() AND collation_name IS NOT NULL AND table_name <> 'migrations'",
    );
    expect(columns.filter(({ k }) => k !== 'ascii_bin' && k !== 'utf8mb4_bin')).toEqual([]);
  });

  test('documents do not have the JSON type, which would reorder their keys', async () => {
    expect(
      await rows(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND data_type = 'json'",
      ),
    ).toEqual([]);
  });
});

describe.each(bothDatabases)('migrating on %s', (kind) => {
  let database: EmptyDatabase;
  const sources: DataSource[] = [];

  beforeEach(async () => {
    database = await createEmptyDatabase(kind);
  });
  afterEach(async () => {
    await Promise.all(sources.splice(0).map((source) => source.destroy()));
    await database.drop();
  });

  const connect = async (): Promise<DataSource> => {
    const source = await createDataSource({ url: database.url, poolSize: 3 });
    sources.push(source);
    return source;
  };
  const difference = async (db: DataSource) =>
    (await db.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  test('processes that start together migrate once', async () => {
    const all = await Promise.all([connect(), connect(), connect()]);
    const ran = await Promise.all(all.map((each) => migrate(each)));
    expect(ran.flat()).toEqual(migrations.map((migration) => migration.name));
  });

  test('a migration whose process was killed is finished by the next one', async () => {
    const db = await connect();
    await runUntil(db, 5);
    expect((await difference(db)).length).toBeGreaterThan(0);
    expect(await migrate(db)).toEqual(migrations.map((migration) => migration.name));
    expect(await difference(db)).toEqual([]);
  });

  test('a failed migration releases the lock', async () => {
    const [db, other] = [await connect(), await connect()];
    await db.query('CREATE TABLE organizations (id int)');
    await expect(migrate(db)).rejects.toThrow(/./);
    await db.query('DROP TABLE organizations');
    expect(await migrate(other)).toEqual(migrations.map((migration) => migration.name));
  });
});

/** Runs the beginning of the first migration, like a process that is killed. */
async function runUntil(db: DataSource, statements: number): Promise<void> {
  const runner = db.createQueryRunner();
  const query = runner.query.bind(runner);
  let ran = 0;
  const dying = async (sql: string): Promise<unknown> => {
    if (ran === statements) throw new Error('killed');
    ran += 1;
    return await query(sql);
  };
  Object.assign(runner, { query: dying });
  await expect(new migrations[0]().up(runner)).rejects.toThrow('killed');
  await runner.release();
}
