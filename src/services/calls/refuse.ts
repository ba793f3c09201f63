import { calls, type CallRow } from '../../db/tables/calls.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ServiceContext } from '../context.ts';

/** `pending → refused`: against the Workflow's admission, which may have won; then the call runs and ends by itself. */
export async function refuseCall(ctx: ServiceContext, { id, organizationId }: CallRow): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await tx.getRepository(calls).update({ id, organizationId, state: 'pending' }, { state: 'refused', endedAt: ctx.clock.now() });
  });
}
