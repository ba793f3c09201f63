import type { DataSource, EntityManager } from 'typeorm';
import { translateUnavailable } from './unavailable.ts';

/** After deadlocks and lock timeouts a transaction must be retried; this is the only place that does so. */
const retryableCodes: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);
const maxAttempts = 4;

/**
 * One READ COMMITTED transaction, which runs again from the start after a deadlock. `work` must only use the
 * database. Throws UnavailableError('mysql') when MySQL is unavailable.
 */
export async function inTransaction<T>(db: DataSource, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await retryConflicts(() => db.transaction(work));
  } catch (error) {
    throw translateUnavailable(error);
  }
}

/** Runs one statement that writes. Outside a transaction it is one by itself, so it runs again after a deadlock. */
export async function writing<T>(manager: EntityManager, statement: () => Promise<T>): Promise<T> {
  return manager.queryRunner === undefined ? await retryConflicts(statement) : await statement();
}

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20 * (1 + Math.random())));
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && retryableCodes.has(error.code);
}

/** True when a unique key refused a row; `key` names the constraint. */
export function isDuplicate(error: unknown, key: string): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY' && error.message.includes(key)
  );
}
