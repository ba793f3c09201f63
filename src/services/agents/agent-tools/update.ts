import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import type { Tool, ToolDefinition } from '../../../contract/tools.ts';
import { updateRows } from '../../../db/rows.ts';
import { tools, type ToolRow, type ToolState } from '../../../db/tables/tools.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { restoreToolSecrets } from '../../../domain/agent-tools/secrets.ts';
import { appendAudit, refusingMoved, type ServiceContext, sealerOf, write } from '../../kernel/index.ts';
import { findTool, requireCredentials, storedDefinition, toolPlace, typeOf } from './internal.ts';
import { auditedTool, toSingleTool } from './mapper.ts';

/** Absent = unchanged; a definition is replaced as a whole. */
export interface ToolChange {
  uuid: string;
  name?: string | undefined;
  description?: string | undefined;
  icon?: string | undefined;
  iconColor?: string | undefined;
  definition?: ToolDefinition | undefined;
  state?: ToolState | undefined;
}

/**
 * Changes a tool (contract 15.1); live calls use the change from their next use of the tool. Throws
 * NotFoundError, also for an unknown credential; ValidationError for a definition of another type.
 */
export async function updateTool({ ctx, input }: { ctx: ServiceContext; input: ToolChange }): Promise<Tool> {
  return await write(ctx, async (tx) => {
    const row = await findTool(tx, ctx, input.uuid, { locked: true });
    const change = await changeOf(tx, ctx, row, input);
    await updateRows(tx, tools, { where: { id: row.id, organizationId: ctx.organizationId }, change });
    const changed = { ...row, ...change };
    const fields = Object.keys(change).filter((key) => key !== 'updatedAt');
    if (fields.length > 0)
      await appendAudit(tx, {
        action: 'tool.updated',
        subjectKind: 'tool',
        subjectId: row.id,
        subjectKey: row.uuid,
        changes: { fields },
        states: { before: auditedTool(row), after: auditedTool(changed) },
      });
    return await toSingleTool(tx, changed);
  });
}

async function changeOf(
  tx: EntityManager,
  ctx: ServiceContext,
  row: ToolRow,
  { uuid: _, definition: sent, ...rest }: ToolChange,
): Promise<Partial<ToolRow>> {
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  if (sent === undefined) return { ...fields, updatedAt: ctx.clock.now() };
  if (sent.type !== typeOf(row)) throw otherType(sent);
  const seal = sealerOf(ctx.secrets, toolPlace(ctx.organizationId));
  const definition = refusingMoved(['definition'], () =>
    restoreToolSecrets(row.definition, storedDefinition(sent), seal),
  );
  await requireCredentials(tx, ctx, definition);
  return { ...fields, definition, updatedAt: ctx.clock.now() };
}

function otherType(sent: ToolDefinition): ValidationError {
  const fault = {
    type: 'value_error',
    msg: 'Value error, the type of a tool cannot change',
    input: sent,
    ctx: { error: {} },
  };
  return new ValidationError('The type of a tool cannot change', {
    detail: [validationRecord(['body', 'definition'], fault)],
  });
}
