import { IsNull } from 'typeorm';
import { getRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Returns the call with its public token; a call with an artifact gets one if it has none (contract 6.9). */
export async function withPublicToken(ctx: ServiceContext, call: CallRow): Promise<CallRow> {
  if (call.publicToken !== null || !(call.transcriptAvailable || call.recordedAt !== null)) return call;
  const where = { id: call.id, organizationId: ctx.organizationId };
  await updateRows(ctx.db.manager, calls, {
    where: { ...where, publicToken: IsNull() },
    change: { publicToken: ctx.ids.uuid() },
  });
  return await getRow(ctx.db, calls, where);
}
