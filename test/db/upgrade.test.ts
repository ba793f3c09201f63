import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations.ts';
import { createEmptyDatabase, databases, type EmptyDatabase } from '../support/database.ts';
import { dumpedReleases, loadDump } from '../support/release-dump.ts';

/** How many migrations each release had; the test runs the later ones. */
const migrationsOf: Record<string, number> = { '0.1.0': 1 };

const runs = dumpedReleases().flatMap((release) => databases.map((kind) => [release, kind] as const));

test('every release has a dump', () => {
  expect(dumpedReleases()).toEqual(Object.keys(migrationsOf).toSorted());
});

describe.each(runs)('the database of %s on %s', (release, kind) => {
  let database: EmptyDatabase;
  let db: DataSource;

  beforeEach(async () => {
    database = await createEmptyDatabase(kind);
    await loadDump(database.url, release, kind);
    db = await createDataSource({ url: database.url, poolSize: 3 });
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const later = migrations.slice(migrationsOf[release]).map(({ name }) => name);

  test('has rows in every table', async () => {
    const content = await contentOf(db);
    expect(content.size).toBeGreaterThan(40);
    for (const [table, rows] of content) expect({ table, rows: rows.length }).toEqual({ table, rows: 2 });
  });

  test('runs only the later migrations, and then has the schema of the table definitions', async () => {
    expect(await migrate(db)).toEqual(later);
    expect(await migrate(db)).toEqual([]);
    const difference = await db.driver.createSchemaBuilder().log();
    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });

  test('keeps its rows, and the table definitions read them', async () => {
    const before = await contentOf(db);
    await migrate(db);
    const after = await contentOf(db);
    for (const [table, rows] of before)
      expect({ table, rows: after.get(table) }).toEqual({
        table,
        rows: rows.map((row) => expect.objectContaining(row)),
      });
    for (const { tableName, columns } of db.entityMetadatas) {
      const stored = after.get(tableName) ?? [];
      const read = await db.getRepository<ObjectLiteral>(tableName).find();
      expect({ tableName, rows: read.length }).toEqual({ tableName, rows: stored.length });
      for (const { propertyName, databaseName, isNullable } of columns) {
        const isNull = (row: ObjectLiteral, name: string) => row[name] === null;
        expect({
          column: `${tableName}.${databaseName}`,
          nulls: read.filter((row) => isNull(row, propertyName)).length,
        }).toEqual({
          column: `${tableName}.${databaseName}`,
          nulls: isNullable ? stored.filter((row) => isNull(row, databaseName)).length : 0,
        });
      }
    }
  });

  test('has values that are read as they were written', async () => {
    await migrate(db);
    const [call] = await db.query('SELECT * FROM calls WHERE id = 1');
    expect(call).toMatchObject({
      uuid: '00000000-0000-4000-8000-000000000001',
      name: `Zoë said: "it's 5 % \\ 🙂" 1`,
      started_at: new Date('2026-01-01T10:20:30.456Z'),
      cost_usd: '1.25000000',
    });
    const read = await db.getRepository<ObjectLiteral>('calls').findOneByOrFail({ id: 1 });
    expect(read).toMatchObject({
      tags: { tags: [1, `Zoë said: "it's 5 % \\ 🙂"`, null] },
      isTest: true,
      costUsd: 1.25,
    });
  });
});

/** The stored rows of every table except the migrations. */
async function contentOf(db: DataSource): Promise<Map<string, ObjectLiteral[]>> {
  const names: { name: string }[] = await db.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'migrations'",
  );
  const content = new Map<string, ObjectLiteral[]>();
  for (const { name } of names) content.set(name, await db.query(`SELECT * FROM \`${name}\` ORDER BY 1`));
  return content;
}
