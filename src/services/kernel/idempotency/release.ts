import { IsNull } from 'typeorm';
import { deleteRows, updateRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../context.ts';
import { dropClaim, heldClaim, whereHeld } from './current.ts';

export interface ReleaseInput {
  key: string;
  /** The answer of a permanent failure; absent for a temporary one. */
  refusal?: { responseStatus: number; responseBody: string } | undefined;
}

/**
 * Releases the key of a failed request. If the request had created its record, this stores the refusal
 * (contract 5.1), or lets the next request with the key continue the record if there is none. Else it deletes
 * the key. If MySQL is unavailable, the claim expires, and the client gets the original failure.
 */
export async function releaseIdempotencyKey({
  ctx,
  input: { refusal },
}: {
  ctx: ServiceContext;
  input: ReleaseInput;
}): Promise<void> {
  const claim = heldClaim(ctx);
  if (claim === null) return;
  dropClaim(ctx);
  try {
    await inTransaction(ctx.db, async (tx) => {
      const removed = await deleteRows(tx, idempotencyKeys, {
        ...whereHeld(ctx, claim),
        subjectId: IsNull(),
      });
      const change =
        refusal === undefined
          ? { claimExpiresAt: ctx.clock.now() }
          : { state: 'completed' as const, ...refusal };
      if (removed === 0) await updateRows(tx, idempotencyKeys, { where: whereHeld(ctx, claim), change });
    });
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    ctx.log.warn('An idempotency key could not be released');
  }
}
