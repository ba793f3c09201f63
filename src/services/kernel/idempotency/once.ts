import { updateRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { ConflictError } from '../../../domain/errors.ts';
import { contextOf, type Write } from '../write.ts';
import { heldClaim, whereHeld } from './current.ts';

interface Making<T> {
  /** What is made: `agent`, `call` ... */
  kind: string;
  make: () => Promise<{ id: number; answer: T }>;
  /**
   * The answer for what an earlier request with the key has made; null when that came to nothing and another
   * is to be made.
   */
  again: (id: number) => Promise<T | null>;
}

/**
 * Makes a record once per Idempotency-Key (contract 5.1): the record and the note of it under the key are one
 * transaction, so a request whose answer was lost is continued instead of repeated. Without a key it just
 * makes it.
 *
 * Throws ConflictError when another request took the claim over meanwhile; then nothing was made.
 */
export async function once<T>(tx: Write, { kind, make, again }: Making<T>): Promise<T> {
  const ctx = contextOf(tx);
  const claim = heldClaim(ctx);
  if (claim !== null && claim.subjectKind === kind && claim.subjectId !== null) {
    const made = await again(claim.subjectId);
    // guarantee: request-process-died-goes
    if (made !== null) return made;
  }
  const { id, answer } = await make();
  if (claim === null) return answer;
  // guarantee: so-every-other-post
  const noted = await updateRows(tx, idempotencyKeys, {
    where: whereHeld(ctx, claim),
    change: { subjectKind: kind, subjectId: id },
  });
  if (noted === 0) throw new ConflictError('Another request with this Idempotency-Key has taken over');
  return answer;
}
