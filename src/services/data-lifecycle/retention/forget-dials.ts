import { In } from 'typeorm';
import { acrossOrganizations, deleteRows, findRows } from '../../../db/rows.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { longestCapMs } from '../../../domain/campaign/caps.ts';
import type { RetentionDeps } from './apply.ts';

const pageSize = 2000;

/**
 * Removes when numbers were dialed, of everybody, once it counts for no cap any more; whatever organizations
 * have as their policy. Rows are made in the order of their dials, so the first one that still counts ends
 * it. Answers how many there were. Throws UnavailableError, and the reason of `signal`.
 */
export async function forgetDials({
  deps: { db, clock },
  signal,
}: {
  deps: Pick<RetentionDeps, 'db' | 'clock'>;
  signal: AbortSignal;
}): Promise<number> {
  const before = new Date(clock.now().getTime() - longestCapMs);
  for (let forgotten = 0; ;) {
    signal.throwIfAborted();
    const oldest = await findRows(
      acrossOrganizations(db, 'dials of every organization stop counting at the same age'),
      numberDials,
      {},
      { select: ['id', 'dialedAt'], order: { id: 'ASC' }, take: pageSize },
    ).catch(rethrow);
    // guarantee: when-number-dialed-kept
    const old = oldest.filter(({ dialedAt }) => dialedAt < before);
    if (old.length > 0)
      await inTransaction(db, (tx) =>
        deleteRows(acrossOrganizations(tx, 'the same'), numberDials, { id: In(old.map(({ id }) => id)) }),
      );
    forgotten += old.length;
    if (old.length < pageSize) return forgotten;
  }
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
