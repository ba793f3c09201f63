import type { RetentionPolicy } from '../../../contract/retention.ts';
import { findRow } from '../../../db/rows.ts';
import { retentionPolicies } from '../../../db/tables/retention-policies.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toRetentionPolicy } from './mapper.ts';

/** The organization's policy; without one, everything is kept forever. */
export async function getRetentionPolicy({ ctx }: { ctx: ServiceContext }): Promise<RetentionPolicy> {
  return toRetentionPolicy(await findRow(ctx.db, retentionPolicies, { organizationId: ctx.organizationId }));
}
