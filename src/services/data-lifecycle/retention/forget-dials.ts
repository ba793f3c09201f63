import { In } from 'typeorm';
import { acrossOrganizations, deleteRows, findRows } from '../../../db/rows.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { maxCapMs } from '../../../domain/campaign/caps.ts';
import type { RetentionDeps } from './apply.ts';

const pageSize = 2000;

/**
 * Removes the dials of all organizations that no longer count for any cap, independent of retention policies.
 * Rows are created in the order of the dials, so this stops at the first one that still counts. Answers the
 * number of removed rows. Throws UnavailableError, and the reason of `signal`.
 */
export async function forgetDials({
  deps: { db, clock },
  signal,
}: {
  deps: Pick<RetentionDeps, 'db' | 'clock'>;
  signal: AbortSignal;
}): Promise<number> {
  const before = new Date(clock.now().getTime() - maxCapMs);
  for (let forgotten = 0; ;) {
    signal.throwIfAborted();
    const oldest = await findRows(
      acrossOrganizations(db, 'dials of every organization stop counting at the same age'),
      numberDials,
      {},
      { select: ['id', 'dialedAt'], order: { id: 'ASC' }, take: pageSize },
    ).catch(rethrow);
    // guarantee: dial-times-kept-for-caps-only
    const old = oldest.filter(({ dialedAt }) => dialedAt < before);
    if (old.length > 0)
      await inTransaction(db, (tx) =>
        deleteRows(
          acrossOrganizations(tx, 'dials of every organization stop counting at the same age'),
          numberDials,
          { id: In(old.map(({ id }) => id)) },
        ),
      );
    forgotten += old.length;
    if (old.length < pageSize) return forgotten;
  }
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
