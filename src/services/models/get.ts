import type { EntityManager } from 'typeorm';
import type {
  MigrationPreview,
  ModelConfigurationAnswer,
  UserConfiguration,
} from '../../contract/model-configurations.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { getPreferencesWithin } from '../identity/index.ts';
import { readConfiguration } from './internal.ts';
import { toModelConfiguration, toUserConfiguration } from './mapper.ts';

/** The organization's models, keys masked (contract 13.3). */
export async function getModelConfiguration({
  ctx,
}: {
  ctx: ServiceContext;
}): Promise<ModelConfigurationAnswer> {
  return toModelConfiguration(await readShown(ctx.db.manager, ctx));
}

/** The organization's models in the older form (contract 13.2). */
export async function getUserConfiguration({ ctx }: { ctx: ServiceContext }): Promise<UserConfiguration> {
  return toUserConfiguration(await readShown(ctx.db.manager, ctx));
}

/**
 * The result of a migration (contract 13.3). It equals the present configuration, because the older form
 * already writes the newer one.
 */
export async function previewMigration({ ctx }: { ctx: ServiceContext }): Promise<MigrationPreview> {
  const { configuration, effective_configuration } = await getModelConfiguration({ ctx });
  return { configuration, effective_configuration };
}

export async function readShown(
  manager: EntityManager,
  ctx: ServiceContext,
): Promise<Parameters<typeof toModelConfiguration>[0]> {
  return {
    configuration: await readConfiguration({ ...ctx, db: manager }),
    installed: ctx.installedModels,
    preferences: await getPreferencesWithin(manager, ctx),
  };
}
