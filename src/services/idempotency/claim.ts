import { insertRow, updateRows } from '../../db/rows.ts';
import { idempotencyKeys, type IdempotencyKeyRow } from '../../db/tables/idempotency-keys.ts';
import { inTransaction, isDuplicate } from '../../db/transaction.ts';
import type { ServiceContext } from '../context.ts';

export type IdempotencyClaim =
  /** The request is ours to carry out. */
  | { kind: 'claimed' }
  /** The same request runs now. */
  | { kind: 'running' }
  /** The same request was answered. */
  | { kind: 'completed'; responseStatus: number; responseBody: string }
  /** The key was used for another request. */
  | { kind: 'other_request' };

const claimMs = 30_000;
const keptMs = 7 * 24 * 3_600_000;

/** Claims an Idempotency-Key of the organization for a request (contract 5.1). A claim expires after 30 s, an answer after 7 days. */
export async function claimIdempotencyKey({ ctx, input }: { ctx: ServiceContext; input: { key: string; requestHash: string } }): Promise<IdempotencyClaim> {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const { organizationId } = ctx;
      const { key, requestHash } = input;
      const now = ctx.clock.now();
      const claim = { requestHash, state: 'claimed' as const, claimExpiresAt: later(now, claimMs), responseStatus: null, responseBody: null, createdAt: now, expiresAt: later(now, keptMs) };
      const row = await tx.getRepository(idempotencyKeys).findOne({ where: { organizationId, key }, lock: { mode: 'pessimistic_write' } });
      if (row === null) {
        await insertRow(tx, idempotencyKeys, { organizationId, key, subjectKind: null, subjectId: null, ...claim });
        return { kind: 'claimed' };
      }
      const found = read(row, requestHash, now);
      if (found.kind === 'claimed') await updateRows(tx, idempotencyKeys, { where: { id: row.id, organizationId }, change: claim });
      return found;
    });
  } catch (error) {
    if (isDuplicate(error, 'uq_idempotency_keys_key')) return { kind: 'running' };
    throw error;
  }
}

function read(row: IdempotencyKeyRow, requestHash: string, now: Date): IdempotencyClaim {
  if (row.expiresAt <= now) return { kind: 'claimed' };
  if (row.requestHash !== requestHash) return { kind: 'other_request' };
  if (row.state === 'completed') return { kind: 'completed', responseStatus: row.responseStatus ?? 200, responseBody: row.responseBody ?? 'null' };
  return row.claimExpiresAt <= now ? { kind: 'claimed' } : { kind: 'running' };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
