import type { DataSource, EntityManager } from 'typeorm';
import { inTransaction } from '../../db/transaction.ts';
import type { ServiceContext } from './context.ts';

/** Who makes a change, and with what it is recorded. */
export type WriteContext = Pick<ServiceContext, 'organizationId' | 'actor' | 'ids' | 'clock' | 'requestId'>;

const context: unique symbol = Symbol('context of the change');

/**
 * The transaction of one change. `once` (idempotency) and `appendAudit` (audit log) take nothing else, so both
 * commit together with the rows.
 */
export type Write = EntityManager & { readonly [context]: WriteContext };

/**
 * Makes one change on behalf of an actor in one transaction. After a deadlock, `work` runs again from its
 * start. Throws UnavailableError('mysql') when MySQL is unavailable.
 */
export async function write<T>(
  ctx: WriteContext & { db: DataSource },
  work: (tx: Write) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx.db, (tx) => work(onBehalfOf(tx, ctx)));
}

/** The same transaction, on behalf of an actor that is only known inside it. */
export function onBehalfOf(tx: EntityManager, ctx: WriteContext): Write {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- it inherits everything from the transaction
  const own: EntityManager = Object.create(tx);
  return Object.assign(own, { [context]: ctx });
}

/** On whose behalf this transaction makes its change. */
export const contextOf = (tx: Write): WriteContext => tx[context];
