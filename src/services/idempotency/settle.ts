import { updateRows } from '../../db/rows.ts';
import { idempotencyKeys } from '../../db/tables/idempotency-keys.ts';
import type { ServiceContext } from '../context.ts';

/** Keeps the answer of a claimed request. */
export async function completeIdempotencyKey({ ctx, input }: { ctx: ServiceContext; input: { key: string; responseStatus: number; responseBody: string } }): Promise<void> {
  const { key, responseStatus, responseBody } = input;
  const where = { organizationId: ctx.organizationId, key, state: 'claimed' as const };
  await updateRows(ctx.db.manager, idempotencyKeys, { where, change: { state: 'completed', responseStatus, responseBody } });
}

/** Gives a claimed key back: its request failed and may be sent again. */
export async function releaseIdempotencyKey({ ctx, input }: { ctx: ServiceContext; input: { key: string } }): Promise<void> {
  await ctx.db.getRepository(idempotencyKeys).delete({ organizationId: ctx.organizationId, key: input.key, state: 'claimed' });
}
