import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { failedStart } from '../../../domain/call/failed-start.ts';
import type { CallEnd } from '../finish/call-end.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { growDispositionCodes } from '../records/grow-disposition-codes.ts';

/** Refuses a call that a request began: `pending → refused`. A call that was admitted first continues. */
export async function refuseCall(ctx: Pick<ServiceContext, 'db' | 'clock'>, call: CallRow): Promise<void> {
  await inTransaction(ctx.db, async (tx) => void (await refuseWithin(tx, ctx, call)));
}

/**
 * `refuseCall` in the caller's transaction. The record says that the start failed (contract 6.8); no webhook
 * is sent. Returns the end, to be reported when the call belongs to a campaign, or null when the call was no
 * longer pending.
 */
export async function refuseWithin(
  tx: EntityManager,
  ctx: Pick<ServiceContext, 'clock'>,
  call: CallRow,
): Promise<CallEnd | null> {
  const { id, organizationId } = call;
  const endedAt = ctx.clock.now();
  const failed = failedStart(call, endedAt);
  const refused = await updateRows(tx, calls, {
    where: { id, organizationId, state: 'pending' },
    change: { state: 'refused', endedAt, ...failed },
  });
  if (refused === 0) return null;
  await growDispositionCodes(tx, call, failed.disposition);
  return { call: { ...call, ...failed, state: 'refused' }, at: endedAt };
}
