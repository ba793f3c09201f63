import { updateRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ServiceContext } from '../context.ts';
import { dropClaim, heldClaim, whereHeld, type HeldClaim } from './current.ts';

/**
 * Stores the answer of the request that holds the claim, so that repeated requests get it again. Stores
 * nothing for a request that lost its claim.
 */
export async function completeIdempotencyKey({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { key: string; responseStatus: number; responseBody: string };
}): Promise<void> {
  const claim = heldClaim(ctx);
  if (claim === null) return;
  dropClaim(ctx);
  const { responseStatus, responseBody } = input;
  await inTransaction(ctx.db, (tx) =>
    updateRows(tx, idempotencyKeys, {
      where: whereHeld(ctx, claim),
      change: { state: 'completed', responseStatus, responseBody, ...subjectOf(claim) },
    }),
  );
}

/** If the request created a record, `once` has already written the subject. */
function subjectOf({ subjectKind, subjectId }: HeldClaim) {
  return subjectId === null ? {} : { subjectKind, subjectId };
}
