import { findRow, type Db } from '../../../db/rows.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';

/** The organization's dial policy. Absent values have the installation's defaults. */
export async function readPolicy(db: Db, organizationId: number): Promise<DialPolicy> {
  return (await findRow(db, dialPolicies, { organizationId }))?.policy ?? {};
}
