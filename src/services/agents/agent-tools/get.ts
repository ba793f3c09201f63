import type { UsedTool } from '../../../contract/tools.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findTool } from './internal.ts';
import { toSingleTool, toUses } from './mapper.ts';
import { usesOfTools } from './uses.ts';

/** Reads one tool, active or archived, and the nodes that offer it (contract 15.1). Throws NotFoundError. */
export async function getTool({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<UsedTool> {
  const tool = await findTool(ctx.db.manager, ctx, input.uuid);
  const uses = await usesOfTools(ctx, [tool.uuid]);
  return { ...(await toSingleTool(ctx.db.manager, tool)), used_by: toUses(uses(tool.uuid)) };
}
