import type { EntityManager } from 'typeorm';
import { type Db, findRow, upsertRows } from '../../db/rows.ts';
import { modelConfigurations } from '../../db/tables/model-configurations.ts';
import type { AgentModels } from '../../domain/agents/settings.ts';
import { isObject, type JsonObject } from '../../domain/graph/definition.ts';
import { mapModelSecrets, maskModelSecrets } from '../../domain/models/secrets.ts';
import type { SecretBox, SecretPlace } from '../../providers/secrets/port.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Recent } from '../../runtime/recent.ts';
import {
  appendAudit,
  lockOrganization,
  openerOf,
  settingsPlace,
  type ServiceContext,
  type Write,
} from '../kernel/index.ts';

export function configurationPlace(organizationId: number): SecretPlace {
  return { table: 'model_configurations', column: 'configuration_encrypted', organizationId };
}

interface Reading {
  db: Db;
  secrets: SecretBox;
  organizationId: number;
}

/** How long a process uses a configuration that was changed meanwhile. */
const recentMs = 1000;

/** Configurations that were read in the last second, by organization. */
export type RecentConfigurations = Recent<{ configuration: JsonObject | null }>;

export const createRecentConfigurations = (clock: Clock): RecentConfigurations =>
  new Recent(clock, { forMs: recentMs });

/** The organization's model configuration with its keys in clear; null if it has none. */
export async function readConfiguration({
  db,
  secrets,
  organizationId,
}: Reading): Promise<JsonObject | null> {
  // guarantee: model-used-by-own-organization
  const row = await findRow(db, modelConfigurations, { organizationId });
  if (row === null) return null;
  const configuration: unknown = JSON.parse(
    secrets.open(row.configurationEncrypted, configurationPlace(organizationId)),
  );
  return isObject(configuration) ? configuration : null;
}

/** The models that an agent's settings name, with their keys in clear. */
export function openAgentModels(
  { modelConfiguration, modelOverrides: { llm, tts, stt } }: AgentModels,
  { secrets, organizationId }: Pick<Reading, 'secrets' | 'organizationId'>,
): AgentModels {
  const open = openerOf(secrets, settingsPlace(organizationId));
  const opened = (part: JsonObject | null) => (part === null ? null : mapModelSecrets(part, undefined, open));
  return {
    modelConfiguration: opened(modelConfiguration),
    modelOverrides: { llm: opened(llm), tts: opened(tts), stt: opened(stt) },
  };
}

/**
 * Replaces the stored configuration, sealed. The caller must hold the lock of the organization's row.
 */
export async function storeConfiguration(
  tx: Write,
  ctx: ServiceContext,
  configuration: JsonObject,
): Promise<void> {
  const { organizationId } = ctx;
  const before = await readConfiguration({ ...ctx, db: tx });
  const configurationEncrypted = ctx.secrets.seal(
    JSON.stringify(configuration),
    configurationPlace(organizationId),
  );
  await upsertRows(tx, modelConfigurations, [
    { organizationId, configurationEncrypted, updatedAt: ctx.clock.now(), validatedAt: null },
  ]);
  const states = { before: shown(before), after: shown(configuration) };
  await appendAudit(tx, {
    action: 'organization.models_changed',
    subjectKind: 'organization',
    subjectId: organizationId,
    states,
  });
}

/** The configuration as answers show it, with masked keys. */
function shown(configuration: JsonObject | null): JsonObject | null {
  const masked = maskModelSecrets(configuration);
  return isObject(masked) ? masked : null;
}

/** Locks the organization's row and answers its model configuration. */
export async function lockConfiguration(tx: EntityManager, ctx: ServiceContext): Promise<JsonObject | null> {
  await lockOrganization(tx, ctx);
  return await readConfiguration({ ...ctx, db: tx });
}
