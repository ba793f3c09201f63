import type { IdempotencyKeyRow } from '../../../db/tables/idempotency-keys.ts';
import type { ServiceContext } from '../context.ts';

/**
 * The claim that a request holds. `claimExpiresAt` is its fence: whoever takes the key over writes another
 * moment.
 */
export type HeldClaim = Pick<IdempotencyKeyRow, 'id' | 'claimExpiresAt' | 'subjectKind' | 'subjectId'>;

/** A context lives as long as its request, so the claim is kept beside it; verbs need not hand it on. */
const held = new WeakMap<object, HeldClaim>();

export function holdClaim(ctx: ServiceContext, claim: HeldClaim): void {
  held.set(ctx, claim);
}

/** Says what a request is about that makes no record: its kept answer is found by it when that is erased. */
export function nameSubject(ctx: ServiceContext, subjectKind: string, subjectId: number): void {
  const claim = held.get(ctx);
  if (claim !== undefined) held.set(ctx, { ...claim, subjectKind, subjectId });
}

/** The request is done with its key. */
export function dropClaim(ctx: ServiceContext): void {
  held.delete(ctx);
}

export function heldClaim(ctx: object): HeldClaim | null {
  return held.get(ctx) ?? null;
}

/**
 * The id of what an earlier request with the same key has made; null when there is none. For work that is
 * dear and comes before the record.
 */
export function madeBefore(ctx: ServiceContext, kind: string): number | null {
  const claim = heldClaim(ctx);
  return claim?.subjectKind === kind ? claim.subjectId : null;
}

/** What names the claim's row as long as nobody took it over. */
export function whereHeld(ctx: Pick<ServiceContext, 'organizationId'>, { id, claimExpiresAt }: HeldClaim) {
  return { id, organizationId: ctx.organizationId, state: 'claimed' as const, claimExpiresAt };
}
