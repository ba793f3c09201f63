import type { Tool } from '../../../contract/tools.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { changeState } from './change-state.ts';
import { toSingleTool } from './mapper.ts';

/** Makes an archived tool active again (contract 15.1). Throws NotFoundError. */
export async function unarchiveTool({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<Tool> {
  return await write(
    ctx,
    async (tx) =>
      await toSingleTool(
        tx,
        await changeState(tx, ctx, { uuid: input.uuid, state: 'active', action: 'tool.unarchived' }),
      ),
  );
}
