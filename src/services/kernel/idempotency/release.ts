import { IsNull } from 'typeorm';
import { deleteRows, updateRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../context.ts';
import { dropClaim, heldClaim, whereHeld } from './current.ts';

export interface ReleaseInput {
  key: string;
  /** The answer of a failure that would be the same again; absent for one that may pass. */
  refusal?: { responseStatus: number; responseBody: string } | undefined;
}

/**
 * Gives the key of a failed request back. When the request had made its record, its refusal is kept (contract
 * 5.1), and without one the next request with the key continues that record; else the key is as good as new.
 * With MySQL away the claim runs out by itself, and the caller hears of its own failure.
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
