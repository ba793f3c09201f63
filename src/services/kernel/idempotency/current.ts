import type { IdempotencyKeyRow } from '../../../db/tables/idempotency-keys.ts';
import type { ServiceContext } from '../context.ts';

/**
 * The claim that a request holds. `claimExpiresAt` is its fence: a takeover writes another timestamp.
 */
export type HeldClaim = Pick<IdempotencyKeyRow, 'id' | 'claimExpiresAt' | 'subjectKind' | 'subjectId'>;

/** A context lives as long as its request, so it can carry the claim without extra parameters. */
const held = new WeakMap<object, HeldClaim>();

export function holdClaim(ctx: ServiceContext, claim: HeldClaim): void {
  held.set(ctx, claim);
}

/** Names the subject of a request that creates no record, so that an erasure finds its stored answer. */
export function nameSubject(ctx: ServiceContext, subjectKind: string, subjectId: number): void {
  const claim = held.get(ctx);
  if (claim !== undefined) held.set(ctx, { ...claim, subjectKind, subjectId });
}

/** Ends the claim in this process. */
export function dropClaim(ctx: ServiceContext): void {
  held.delete(ctx);
}

export function heldClaim(ctx: object): HeldClaim | null {
  return held.get(ctx) ?? null;
}

/**
 * The id of the record that an earlier request with the same key created; null if there is none. It lets a
 * request skip expensive work that precedes the record.
 */
export function madeBefore(ctx: ServiceContext, kind: string): number | null {
  const claim = heldClaim(ctx);
  return claim?.subjectKind === kind ? claim.subjectId : null;
}

/** The condition that matches the claim's row unless another request took it over. */
export function whereHeld(ctx: Pick<ServiceContext, 'organizationId'>, { id, claimExpiresAt }: HeldClaim) {
  return { id, organizationId: ctx.organizationId, state: 'claimed' as const, claimExpiresAt };
}
