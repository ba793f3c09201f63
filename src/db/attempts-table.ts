import type { DataSource } from 'typeorm';
import { InvariantError } from '../domain/errors.ts';

/** What rate-limiter-flexible needs to know about the table `attempts`. */
export const attemptsTable = (db: DataSource) => ({
  storeClient: poolOf(db),
  storeType: 'pool',
  dbName: databaseOf(db),
  tableName: 'attempts',
  tableCreated: true,
});

/** TypeORM's driver keeps mysql2's pool, without a type for it. */
function poolOf({ driver }: DataSource): unknown {
  if ('pool' in driver) return driver.pool;
  throw new InvariantError('The driver has no pool');
}

function databaseOf({ driver }: DataSource): string {
  if (driver.database === undefined) throw new InvariantError('The connection names no database');
  return driver.database;
}
