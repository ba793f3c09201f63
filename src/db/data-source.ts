import mysql from 'mysql2';
import { createConnection, type Connection } from 'mysql2/promise';
import { DataSource, type EntitySchema } from 'typeorm';
import { guarded } from '../runtime/guarded.ts';
import { readAddress, type Address } from './address.ts';
import { migrations } from './migrations.ts';
import { silentLogger } from './silent-logger.ts';
import { tables } from './tables.ts';
import { translateUnavailable } from './unavailable.ts';
import { watchedSocket } from './watched-socket.ts';

export type ServerKind = 'mysql' | 'mariadb';

export interface DataSourceOptions {
  /** `mysql://user:password@host:port/database`; `?socketPath=/path` for a Unix socket. */
  url: string;
  /** Number of connections in the pool. */
  poolSize?: number;
  connectTimeoutMs?: number;
  /**
   * How long the server may be silent before a query fails as if MySQL were unavailable. Null for statements
   * that run long, such as migrations.
   */
  silenceMs?: number | null;
}

/**
 * Settings of every connection before its first query: SQL that MySQL 8.4 and MariaDB understand alike, UTC,
 * no silently truncated value, and no gap locks around compare-and-set statements.
 */
const sessionSettings = [
  "time_zone = '+00:00'",
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  'innodb_lock_wait_timeout = 10',
];

/** A connected pool in the dialect of the server. Throws UnavailableError('mysql') when no server answers. */
export async function createDataSource({
  url,
  poolSize = 20,
  connectTimeoutMs = 5000,
  silenceMs = 15_000,
}: DataSourceOptions): Promise<DataSource> {
  try {
    const address = readAddress(url);
    const kind = await askServerKind(address, connectTimeoutMs);
    const entities: EntitySchema[] = [...tables];
    const source = new DataSource({
      type: kind,
      ...address.place,
      username: address.account,
      password: address.password,
      database: address.database,
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      connectTimeout: connectTimeoutMs,
      poolSize,
      entities,
      migrations: [...migrations],
      migrationsTableName: 'migrations',
      logger: silentLogger,
      driver: { ...mysql, createPool: createPreparedPool },
      extra: {
        maxIdle: poolSize,
        idleTimeout: 60_000,
        queueLimit: 1000,
        stream: () => watchedSocket(address.place, silenceMs),
      },
    });
    return await source.initialize();
  } catch (error) {
    throw translateUnavailable(error);
  }
}

/**
 * mysql2's pool. Connections are set up before their first use, because the queries of one connection run in
 * order.
 */
function createPreparedPool(options: mysql.PoolOptions): mysql.Pool {
  const pool = mysql.createPool(options);
  pool.on(
    'connection',
    guarded(prepare, (_error, connection) => connection.destroy()),
  );
  return pool;
}

function prepare(connection: mysql.PoolConnection): void {
  // Destroy a connection whose setup failed; its user gets a connection error.
  const orDestroy = (error: Error | null): void => {
    if (error !== null) connection.destroy();
  };
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', orDestroy);
  connection.query(`SET SESSION ${sessionSettings.join(', ')}`, orDestroy);
}

async function askServerKind(
  { place, account, password, database }: Address,
  connectTimeoutMs: number,
): Promise<ServerKind> {
  const connection: Connection = await createConnection({
    ...place,
    user: account,
    password,
    database,
    connectTimeout: connectTimeoutMs,
  });
  try {
    const [rows] = await connection.query('SELECT VERSION() AS version');
    return JSON.stringify(rows).toLowerCase().includes('mariadb') ? 'mariadb' : 'mysql';
  } finally {
    await connection.end();
  }
}
