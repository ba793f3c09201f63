import type { EntityManager } from 'typeorm';
import { getRow } from '../../db/rows.ts';
import { organizations } from '../../db/tables/organizations.ts';
import type { ServiceContext } from './context.ts';

/**
 * Locks the organization's row until the transaction ends, so that one transaction at a time checks and changes
 * what the organization has only once or in a limited number.
 */
export async function lockOrganization(
  tx: EntityManager,
  { organizationId }: Pick<ServiceContext, 'organizationId'>,
): Promise<void> {
  await getRow(tx, organizations, { id: organizationId }, { isLocked: true });
}
