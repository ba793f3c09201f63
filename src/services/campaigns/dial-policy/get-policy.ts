import type { DialPolicyAnswer } from '../../../contract/dialing.ts';
import { findRow } from '../../../db/rows.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toDialPolicy } from './mapper.ts';

/** The organization's dial policy. Without one, it sets no limits of its own. */
export async function getDialPolicy({
  ctx: { db, organizationId },
}: {
  ctx: ServiceContext;
}): Promise<DialPolicyAnswer> {
  return toDialPolicy(
    (await findRow(db.manager, dialPolicies, { organizationId })) ?? { policy: {}, updatedAt: null },
  );
}
