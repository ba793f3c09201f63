import { In } from 'typeorm';
import { categories, type Tool } from '../../../contract/tools.ts';
import { findRows } from '../../../db/rows.ts';
import { tools, type ToolState } from '../../../db/tables/tools.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toTools } from './mapper.ts';

/** The organization's tools in these states, newest first (contract 15.1). */
export async function listTools({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { states: ToolState[]; category?: string | undefined };
}): Promise<Tool[]> {
  const { organizationId } = ctx;
  // guarantee: any-request-gets-declared-answer
  if (input.category !== undefined && !categories.some((each) => each === input.category)) return []; // the column only allows ASCII
  const category = input.category === undefined ? {} : { category: input.category };
  const rows = await findRows(
    ctx.db,
    tools,
    { organizationId, state: In(input.states), ...category },
    { order: { createdAt: 'DESC', id: 'DESC' } },
  );
  return await toTools(ctx.db.manager, rows);
}
