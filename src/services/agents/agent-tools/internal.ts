import { IsNull, type EntityManager } from 'typeorm';
import type { ToolDefinition } from '../../../contract/tools.ts';
import { existsRow, findRow } from '../../../db/rows.ts';
import { credentials } from '../../../db/tables/credentials.ts';
import { tools, type ToolRow } from '../../../db/tables/tools.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { own, ownObject, ownText, type JsonObject } from '../../../domain/graph/definition.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { mapToolSecrets } from '../../../domain/agent-tools/secrets.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import { type ServiceContext, openerOf } from '../../kernel/index.ts';

/**
 * Finds a tool, locked if it will be changed. Throws NotFoundError for an unknown tool or one of another
 * organization.
 */
export async function findTool(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  uuid: string,
  { locked = false }: { locked?: boolean } = {},
): Promise<ToolRow> {
  const where = { uuid, organizationId };
  const row = isUuid(uuid) ? await findRow(manager, tools, where, { isLocked: locked }) : null;
  if (row === null) throw new NotFoundError('Tool not found');
  return row;
}

/** A checked definition as it is stored. */
export function storedDefinition(definition: ToolDefinition): Record<string, unknown> {
  return { schema_version: 1, ...definition };
}

/** Throws NotFoundError when a credential of the definition does not exist (contract 15.1). */
export async function requireCredentials(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  definition: JsonObject,
): Promise<void> {
  const config = ownObject(definition, 'config');
  for (const part of [config, ownObject(config, 'resolver')]) {
    const uuid = ownText(part, 'credential_uuid') ?? '';
    if (uuid === '') continue;
    const exists =
      isUuid(uuid) && (await existsRow(manager, credentials, { uuid, organizationId, deletedAt: IsNull() }));
    if (!exists) throw new NotFoundError(`Credential ${uuid} not found`);
  }
}

/** The place that secret headers of a tool are sealed for. */
export function toolPlace(organizationId: number): SecretPlace {
  return { table: 'tools', column: 'definition', organizationId };
}

/** The config of a tool with decrypted secrets, for immediate use. */
export function openedConfig(
  secrets: SecretBox,
  { definition, organizationId }: Pick<ToolRow, 'definition' | 'organizationId'>,
): JsonObject {
  return ownObject(mapToolSecrets(definition, openerOf(secrets, toolPlace(organizationId))), 'config');
}

/** The type of a stored definition. */
export function typeOf({ definition }: Pick<ToolRow, 'definition'>): unknown {
  return own(definition, 'type');
}
