import { randomBytes } from 'node:crypto';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { createDataSource, type ServerKind } from '../../src/db/data-source.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databasePrefix } from './test-run.mjs';

/**
 * Migrated databases of this worker process. Migrations take longer than most suites, so a returned database
 * is emptied and reused. It is then like a new one: no rows, and every counter starts at 1.
 */
interface PooledDatabase {
  name: string;
  serverUrl: string;
  url: string;
}

const idle: Record<ServerKind, PooledDatabase[]> = { mariadb: [], mysql: [] };

/** A migrated database without rows. `release` returns it; the next use empties it. */
export async function takeDatabase(
  kind: ServerKind,
  serverUrl: string,
): Promise<{ url: string; release: () => void }> {
  const at = idle[kind].findIndex((each) => each.serverUrl === serverUrl);
  const pooled = at === -1 ? await migratedDatabase(serverUrl) : idle[kind].splice(at, 1)[0];
  if (pooled === undefined) throw new Error('unreachable');
  if (at !== -1) await empty(pooled);
  return { url: pooled.url, release: () => void idle[kind].push(pooled) };
}

async function migratedDatabase(serverUrl: string): Promise<PooledDatabase> {
  const { name, url } = await newDatabase(serverUrl);
  const db = await createDataSource({ url, poolSize: 1 });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  return { name, serverUrl, url };
}

/** A database without tables on this server. */
export async function newDatabase(
  serverUrl: string,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `${databasePrefix()}${randomBytes(4).toString('hex')}`;
  await onServer(serverUrl, (query) => query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = () =>
    onServer(serverUrl, async (query) => void (await query(`DROP DATABASE IF EXISTS ${name}`)));
  return { name, url: url.href, drop };
}

type Query = (sql: string) => Promise<RowDataPacket[]>;

async function onServer<T>(uri: string, work: (query: Query) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri, multipleStatements: true, connectTimeout: 60_000 });
  try {
    return await work(async (sql) => (await connection.query<RowDataPacket[]>(sql))[0]);
  } finally {
    await connection.end();
  }
}

/** Closes the connections that a suite left open, and truncates the written tables. */
async function empty({ name, serverUrl }: PooledDatabase): Promise<void> {
  await onServer(serverUrl, async (query) => {
    const connections = await query('SHOW PROCESSLIST');
    for (const { Id, db } of connections) if (db === name) await query(`KILL ${Id}`).catch(() => undefined); // it may have ended by now
    const written = await writtenTables(name, query);
    if (written.length === 0) return;
    const truncations = written.map((table) => `TRUNCATE TABLE ${name}.${table}`);
    await query(`SET FOREIGN_KEY_CHECKS = 0; ${truncations.join('; ')}`);
  });
}

/** Tables with rows, or with an advanced counter, except the record of migrations. */
async function writtenTables(name: string, query: Query): Promise<string[]> {
  // MySQL caches statistics for a day by default; MariaDB does not have the variable.
  await query('SET SESSION information_schema_stats_expiry = 0').catch(() => undefined);
  const tables = await query(
    `SELECT table_name AS name, auto_increment AS counter FROM information_schema.tables
     WHERE table_schema = '${name}' AND table_type = 'BASE TABLE' AND table_name <> 'migrations'`,
  );
  const filled = await query(
    tables
      .map((each) => `(SELECT '${each['name']}' AS name FROM ${name}.${each['name']} LIMIT 1)`)
      .join(' UNION ALL '),
  );
  const written = new Set(filled.map((each) => String(each['name'])));
  for (const { name: table, counter } of tables) if (Number(counter ?? 1) > 1) written.add(String(table));
  return [...written];
}
