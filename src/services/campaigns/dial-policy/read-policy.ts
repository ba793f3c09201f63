import type { EntityManager } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';

/** The organization's dial policy. Absent values have the installation's defaults. */
export async function readPolicy(manager: EntityManager, organizationId: number): Promise<DialPolicy> {
  return (await findRow(manager, dialPolicies, { organizationId }))?.policy ?? {};
}
