import pLimit, { type LimitFunction } from 'p-limit';
import type { DataSource } from 'typeorm';
import type { ServiceContext } from './context.ts';

/** A fifth of the usual pool: what one organization may hold of it while its calls wait for one another. */
const atOnce = 4;

const lines = new WeakMap<DataSource, Map<number, LimitFunction>>();

/**
 * Runs a transaction that will lock the organization's row. Only a few of an organization run at a time in this
 * process: the others wait here, without a connection, so that a burst of calls leaves the pool to what happens
 * in calls that have begun.
 */
export async function inTurn<T>(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  work: () => Promise<T>,
): Promise<T> {
  const ofPool = lines.get(db) ?? new Map<number, LimitFunction>();
  lines.set(db, ofPool);
  const line = ofPool.get(organizationId) ?? pLimit(atOnce);
  ofPool.set(organizationId, line);
  try {
    return await line(work);
  } finally {
    if (line.activeCount + line.pendingCount === 0) ofPool.delete(organizationId);
  }
}
