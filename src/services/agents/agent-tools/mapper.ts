import { In, type EntityManager } from 'typeorm';
import { Tool, type UsedTool } from '../../../contract/tools.ts';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import type { ToolRow } from '../../../db/tables/tools.ts';
import { users } from '../../../db/tables/users.ts';
import { maskToolSecrets } from '../../../domain/agent-tools/secrets.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { ToolUse } from './uses.ts';

/** The answers of contract 15.1, each with its creator. */
export async function toTools(manager: EntityManager, rows: readonly ToolRow[]): Promise<Tool[]> {
  const ids = rows.flatMap(({ createdByUserId }) => (createdByUserId === null ? [] : [createdByUserId]));
  const makers =
    ids.length === 0
      ? []
      : await findRows(acrossOrganizations(manager, 'the tools may be of several organizations'), users, {
          id: In(ids),
        });
  const uuids = new Map(makers.map(({ id, uuid }) => [id, uuid]));
  return rows.map((row) =>
    toTool(row, row.createdByUserId === null ? undefined : uuids.get(row.createdByUserId)),
  );
}

/** One answer. */
export async function toSingleTool(manager: EntityManager, row: ToolRow): Promise<Tool> {
  const [tool] = await toTools(manager, [row]);
  return Tool.parse(tool);
}

/** The nodes that offer a tool. */
export const toUses = (uses: readonly ToolUse[]): UsedTool['used_by'] =>
  uses.map(({ agent, nodeId, nodeName }) => ({
    workflow_id: agent.id,
    workflow_name: agent.name,
    node_id: nodeId,
    node_name: nodeName,
  }));

/** A tool as the audit log compares it, secrets masked. */
export function auditedTool({
  name,
  description,
  category,
  icon,
  iconColor,
  state,
  definition,
}: ToolRow): object {
  return {
    name,
    description,
    category,
    icon,
    icon_color: iconColor,
    status: state,
    // guarantee: audit-masks-tool-secrets
    definition: maskToolSecrets(definition),
  };
}

function toTool(
  {
    id,
    uuid,
    name,
    description,
    category,
    icon,
    iconColor,
    state,
    definition,
    createdAt,
    updatedAt,
    createdByUserId,
  }: ToolRow,
  makerUuid: string | undefined,
): Tool {
  return {
    id,
    tool_uuid: uuid,
    name,
    description,
    category: Tool.shape.category.parse(category),
    icon,
    icon_color: iconColor,
    status: state,
    definition: maskToolSecrets(definition),
    created_at: wireTimestamp(createdAt),
    updated_at: wireTimestamp(updatedAt),
    created_by:
      createdByUserId === null || makerUuid === undefined
        ? null
        : { id: createdByUserId, provider_id: makerUuid },
  };
}
