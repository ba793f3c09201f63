import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { failedStart } from '../../../domain/call/failed-start.ts';
import { factsOfCall, settleTarget } from '../../campaigns/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { growDispositionCodes } from '../records/grow-disposition-codes.ts';

/**
 * `pending → refused`: against the Workflow's admission, which may have won; then the call runs and ends by
 * itself.
 */
export async function refuseCall(ctx: Pick<ServiceContext, 'db' | 'clock'>, call: CallRow): Promise<void> {
  await inTransaction(ctx.db, (tx) => refuseWithin(tx, ctx, call));
}

/**
 * The same in the caller's transaction. The record tells of a failed start (contract 6.8); nothing is sent of
 * a call that never was.
 */
export async function refuseWithin(
  tx: EntityManager,
  ctx: Pick<ServiceContext, 'clock'>,
  call: CallRow,
): Promise<void> {
  const { id, organizationId } = call;
  const endedAt = ctx.clock.now();
  const failed = failedStart(call, endedAt);
  const refused = await updateRows(tx, calls, {
    where: { id, organizationId, state: 'pending' },
    change: { state: 'refused', endedAt, ...failed },
  });
  if (refused === 0) return;
  await growDispositionCodes(tx, call, failed.disposition);
  await settleTarget(tx, { call, facts: factsOfCall({ ...call, ...failed, state: 'refused' }), at: endedAt });
}
