import type { OrganizationContext } from '../../../contract/organizations.ts';
import { existsRow, getRow } from '../../../db/rows.ts';
import { modelConfigurations } from '../../../db/tables/model-configurations.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toOrganizationContext } from './mapper.ts';

/** The caller's organization (contract 13.3). */
export async function getOrganizationContext({ ctx }: { ctx: ServiceContext }): Promise<OrganizationContext> {
  const { organizationId } = ctx;
  const organization = await getRow(ctx.db, organizations, { id: organizationId });
  return toOrganizationContext(organization, {
    hasModels: await existsRow(ctx.db, modelConfigurations, { organizationId }),
  });
}
