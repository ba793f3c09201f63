import type { OrganizationContext } from '../../contract/organizations.ts';
import { organizations } from '../../db/tables/organizations.ts';
import type { ServiceContext } from '../context.ts';
import { toOrganizationContext } from './mapper.ts';

/** The caller's organization (contract 13.3). */
export async function getOrganizationContext({ ctx }: { ctx: ServiceContext }): Promise<OrganizationContext> {
  return toOrganizationContext(await ctx.db.getRepository(organizations).findOneByOrFail({ id: ctx.organizationId }));
}
