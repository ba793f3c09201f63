import type { UsedTool } from '../../../contract/tools.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findTool } from './internal.ts';
import { toUsedTool } from './mapper.ts';
import { usesOfTool } from './uses.ts';

/** Reads one tool, active or archived, and the nodes that offer it (contract 15.1). Throws NotFoundError. */
export async function getTool({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<UsedTool> {
  const tool = await findTool(ctx.db.manager, ctx, input.uuid);
  return await toUsedTool(ctx.db.manager, tool, await usesOfTool(ctx, tool.uuid));
}
