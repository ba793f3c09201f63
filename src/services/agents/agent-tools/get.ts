import type { Tool } from '../../../contract/tools.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findTool } from './internal.ts';
import { toSingleTool } from './mapper.ts';

/** Reads one tool, active or archived (contract 15.1). Throws NotFoundError. */
export async function getTool({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<Tool> {
  return await toSingleTool(ctx.db.manager, await findTool(ctx.db.manager, ctx, input.uuid));
}
