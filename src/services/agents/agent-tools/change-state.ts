import { updateRows } from '../../../db/rows.ts';
import { tools, type ToolRow, type ToolState } from '../../../db/tables/tools.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { findTool } from './internal.ts';

/**
 * Archives or reactivates a tool; a tool that already has the state stays unchanged. Throws NotFoundError.
 */
export async function changeState(
  tx: Write,
  ctx: ServiceContext,
  { uuid, state, action }: { uuid: string; state: ToolState; action: string },
): Promise<ToolRow> {
  const row = await findTool(tx, ctx, uuid, { locked: true });
  if (row.state === state) return row;
  const change = { state, updatedAt: ctx.clock.now() };
  await updateRows(tx, tools, { where: { id: row.id, organizationId: ctx.organizationId }, change });
  await appendAudit(tx, {
    action,
    subjectKind: 'tool',
    subjectId: row.id,
    subjectKey: row.uuid,
    states: { before: { status: row.state }, after: { status: state } },
  });
  return { ...row, ...change };
}
