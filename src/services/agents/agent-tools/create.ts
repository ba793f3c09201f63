import type { Tool, ToolDefinition } from '../../../contract/tools.ts';
import { getRow, insertRow } from '../../../db/rows.ts';
import { tools, type ToolRow } from '../../../db/tables/tools.ts';
import { restoreToolSecrets } from '../../../domain/agent-tools/secrets.ts';
import { appendAudit, type ServiceContext, once, sealerOf, type Write, write } from '../../kernel/index.ts';
import { requireCredentials, storedDefinition, toolPlace } from './internal.ts';
import { auditedTool, toSingleTool } from './mapper.ts';

export interface ToolInput {
  name: string;
  description: string | null;
  icon: string;
  iconColor: string;
  definition: ToolDefinition;
}

/**
 * Creates an active tool (contract 15.1); its category is the type of its definition. Throws NotFoundError
 * for an unknown credential.
 */
export async function createTool({ ctx, input }: { ctx: ServiceContext; input: ToolInput }): Promise<Tool> {
  return await write(ctx, async (tx) => {
    const make = async () => {
      const row = await insertTool(tx, ctx, input);
      return { id: row.id, answer: await toSingleTool(tx, row) };
    };
    const again = async (id: number) =>
      await toSingleTool(tx, await getRow(tx, tools, { id, organizationId: ctx.organizationId }));
    return await once(tx, { kind: 'tool', make, again });
  });
}

async function insertTool(
  tx: Write,
  ctx: ServiceContext,
  { name, description, icon, iconColor, definition }: ToolInput,
): Promise<ToolRow> {
  const stored = restoreToolSecrets(
    {},
    storedDefinition(definition),
    sealerOf(ctx.secrets, toolPlace(ctx.organizationId)),
  );
  await requireCredentials(tx, ctx, stored);
  const now = ctx.clock.now();
  const row = await insertRow(tx, tools, {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    createdByUserId: ctx.actor.kind === 'system' ? null : ctx.actor.userId,
    name,
    description,
    category: definition.type,
    icon,
    iconColor,
    state: 'active' as const,
    definition: stored,
    createdAt: now,
    updatedAt: now,
  });
  await appendAudit(tx, {
    action: 'tool.created',
    subjectKind: 'tool',
    subjectId: row.id,
    subjectKey: row.uuid,
    changes: { category: row.category },
    states: { before: null, after: auditedTool(row) },
  });
  return row;
}
