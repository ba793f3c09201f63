import type { ArchivedTool } from '../../../contract/tools.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { changeState } from './change-state.ts';

/**
 * Archives a tool: no call offers it, and graphs that refer to it stay valid (contract 15.1). Throws
 * NotFoundError.
 */
export async function archiveTool({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<ArchivedTool> {
  const row = await write(ctx, (tx) =>
    changeState(tx, ctx, { uuid: input.uuid, state: 'archived', action: 'tool.archived' }),
  );
  return { status: 'archived', tool_uuid: row.uuid };
}
