import type { EntityManager } from 'typeorm';
import { findRow, insertRow, updateRows } from '../../../db/rows.ts';
import { idempotencyKeys, type IdempotencyKeyRow } from '../../../db/tables/idempotency-keys.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import type { ServiceContext } from '../context.ts';
import { holdClaim } from './current.ts';
import { forgetExpiredKeys } from './forget-expired.ts';

/** After this time another request with the key may take over. */
const claimMs = 30_000;
/** How long an answer is stored. */
const keptMs = 7 * 24 * 3_600_000;
/** On average one in this many claims also deletes expired keys. */
const forgetEvery = 50;

export type KeyClaim =
  /** The caller runs the request; `once` continues the record of an earlier request with the key. */
  | { kind: 'claimed' }
  | { kind: 'completed'; responseStatus: number; responseBody: string }
  | { kind: 'running' }
  | { kind: 'other_request' };

/**
 * Claims a key for one request (contract 5.1): of concurrent requests only one gets `claimed`. If it does not
 * end within 30 s, the next request takes the claim over. `requestHash` is 64 hex digits over method, path
 * and canonical JSON.
 */
export async function claimIdempotencyKey({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { key: string; requestHash: string };
}): Promise<KeyClaim> {
  if (ctx.ids.integer(forgetEvery) === 0) await forgetExpiredKeys({ db: ctx.db, clock: ctx.clock });
  try {
    return await inTransaction(ctx.db, (tx) => claim(tx, ctx, input));
  } catch (error) {
    if (!isDuplicate(error, 'uq_idempotency_keys_key')) throw error;
    return await inTransaction(ctx.db, (tx) => claim(tx, ctx, input)); // a concurrent request inserted the row
  }
}

async function claim(
  tx: EntityManager,
  ctx: ServiceContext,
  { key, requestHash }: { key: string; requestHash: string },
): Promise<KeyClaim> {
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const row = await findRow(tx, idempotencyKeys, { organizationId, key }, { isLocked: true });
  const fresh = freshClaim(now, requestHash);
  if (row === null) {
    holdClaim(ctx, await insertRow(tx, idempotencyKeys, { organizationId, key, ...fresh }));
    return { kind: 'claimed' };
  }
  if (row.expiresAt <= now) return await takeOver(tx, ctx, row, fresh);
  if (row.requestHash !== requestHash) return { kind: 'other_request' };
  if (row.state === 'completed')
    return {
      kind: 'completed',
      responseStatus: row.responseStatus ?? 200,
      responseBody: row.responseBody ?? 'null',
    };
  // guarantee: one-request-per-idempotency-key
  if (row.claimExpiresAt > now) return { kind: 'running' };
  return await takeOver(tx, ctx, row, { claimExpiresAt: fresh.claimExpiresAt });
}

async function takeOver(
  tx: EntityManager,
  ctx: ServiceContext,
  row: IdempotencyKeyRow,
  change: Partial<IdempotencyKeyRow>,
): Promise<KeyClaim> {
  await updateRows(tx, idempotencyKeys, {
    where: { id: row.id, organizationId: row.organizationId },
    change,
  });
  holdClaim(ctx, { ...row, ...change });
  return { kind: 'claimed' };
}

function freshClaim(
  now: Date,
  requestHash: string,
): Omit<IdempotencyKeyRow, 'id' | 'organizationId' | 'key'> {
  return {
    requestHash,
    state: 'claimed',
    claimExpiresAt: new Date(now.getTime() + claimMs),
    subjectKind: null,
    subjectId: null,
    responseStatus: null,
    responseBody: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + keptMs),
  };
}
