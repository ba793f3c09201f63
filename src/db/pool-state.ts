import type { DataSource } from 'typeorm';

export interface PoolState {
  idle: number;
  used: number;
  /** Queries that wait for a connection. */
  waiting: number;
}

/**
 * What the connections of the pool are doing; null if the driver does not show it. mysql2 has no public API
 * for this.
 */
export function readPoolState(db: DataSource): PoolState | null {
  const pool: unknown = Reflect.get(db.driver, 'pool');
  const [all, free, waiting] = ['_allConnections', '_freeConnections', '_connectionQueue'].map((name) =>
    lengthOf(pool, name),
  );
  if (all === undefined || free === undefined || waiting === undefined) return null;
  return { idle: free, used: all - free, waiting };
}

function lengthOf(pool: unknown, name: string): number | undefined {
  const queue: unknown = typeof pool === 'object' && pool !== null ? Reflect.get(pool, name) : undefined;
  const length: unknown =
    typeof queue === 'object' && queue !== null ? Reflect.get(queue, 'length') : undefined;
  return typeof length === 'number' ? length : undefined;
}
