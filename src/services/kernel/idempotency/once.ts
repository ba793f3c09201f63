import { updateRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { ConflictError } from '../../../domain/errors.ts';
import { contextOf, type Write } from '../write.ts';
import { heldClaim, whereHeld } from './current.ts';

interface Making<T> {
  /** The kind of the record: `agent`, `call` ... */
  kind: string;
  make: () => Promise<{ id: number; answer: T }>;
  /**
   * The answer for the record of an earlier request with the key; null if that record is void and another one
   * must be created.
   */
  again: (id: number) => Promise<T | null>;
}

/**
 * Creates a record once per Idempotency-Key (contract 5.1). One transaction writes the record and its id
 * under the key, so that a request whose answer was lost continues instead of creating another record.
 * Without a key it only creates the record.
 *
 * Throws ConflictError if another request took the claim over meanwhile; then no record was created.
 */
export async function once<T>(tx: Write, { kind, make, again }: Making<T>): Promise<T> {
  const ctx = contextOf(tx);
  const claim = heldClaim(ctx);
  if (claim !== null && claim.subjectKind === kind && claim.subjectId !== null) {
    const made = await again(claim.subjectId);
    // guarantee: interrupted-request-continues
    if (made !== null) return made;
  }
  const { id, answer } = await make();
  if (claim === null) return answer;
  // guarantee: interrupted-post-keeps-its-object
  const noted = await updateRows(tx, idempotencyKeys, {
    where: whereHeld(ctx, claim),
    change: { subjectKind: kind, subjectId: id },
  });
  if (noted === 0) throw new ConflictError('Another request with this Idempotency-Key has taken over');
  return answer;
}
