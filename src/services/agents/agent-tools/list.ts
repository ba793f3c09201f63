import { In } from 'typeorm';
import { categories, type ListedTool } from '../../../contract/tools.ts';
import { findRows } from '../../../db/rows.ts';
import { tools, type ToolState } from '../../../db/tables/tools.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toTools, toUses } from './mapper.ts';
import { usesOfTools } from './uses.ts';

/** The organization's tools in these states, newest first, with the nodes that offer them if asked for (contract 15.1). */
export async function listTools({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { states: ToolState[]; category?: string | undefined; withUses: boolean };
}): Promise<ListedTool[]> {
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
  const listed = await toTools(ctx.db.manager, rows);
  if (!input.withUses || listed.length === 0) return listed;
  const uses = await usesOfTools(
    ctx,
    rows.map(({ uuid }) => uuid),
  );
  return listed.map((tool) => ({ ...tool, used_by: toUses(uses(tool.tool_uuid)) }));
}
