import type { DataSource, EntityManager } from 'typeorm';
import { translateUnavailable } from './unavailable.ts';

/** After deadlocks and lock timeouts a transaction must be retried; this is the only place that does so. */
const againCodes: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);
const maxTries = 4;

/**
 * One READ COMMITTED transaction, which runs again from the start after a deadlock. `work` must only use the
 * database. Throws UnavailableError('mysql') when MySQL is unavailable.
 */
export async function inTransaction<T>(db: DataSource, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (tried === maxTries || !isWorthAnotherTry(error)) throw translateUnavailable(error);
      await new Promise((resolve) => setTimeout(resolve, tried * 20 * (1 + Math.random())));
    }
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof Error && 'code' in error && againCodes.has(error.code);
}

/** True when a unique key refused a row; `key` names the constraint. */
export function isDuplicate(error: unknown, key: string): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY' && error.message.includes(key)
  );
}
