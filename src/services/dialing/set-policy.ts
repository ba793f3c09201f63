import { In } from 'typeorm';
import type { DialPolicyAnswer, DialPolicyRequest } from '../../contract/dialing.ts';
import { updateRows } from '../../db/rows.ts';
import { campaigns } from '../../db/tables/campaigns.ts';
import { dialPolicies } from '../../db/tables/dial-policies.ts';
import { inTransaction } from '../../db/transaction.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { lockPolicy } from './lock-policy.ts';
import { fromDialPolicy, toDialPolicy } from './mapper.ts';

/** Replaces what the organization allows its campaigns. What has been dialed counts for the new caps as it did for the old ones; rows that caps or hours had put off are decided anew. */
export async function setDialPolicy({ ctx, input }: { ctx: ServiceContext; input: DialPolicyRequest }): Promise<DialPolicyAnswer> {
  const { organizationId } = ctx;
  return await inTransaction(ctx.db, async (tx) => {
    const at = ctx.clock.now();
    // Before the policy is held: whoever leases takes the two in this order, too.
    await updateRows(tx, campaigns, { where: { organizationId, state: In(['syncing', 'running', 'paused']) }, change: { reviseAfterRow: 0 } });
    const before = await lockPolicy(tx, organizationId, at);
    const after = { policy: fromDialPolicy(input), updatedAt: at };
    await updateRows(tx, dialPolicies, { where: { organizationId }, change: after });
    const states = { before: toDialPolicy(before), after: toDialPolicy(after) };
    await appendAudit(tx, ctx, { action: 'dial_policy.set', subjectKind: 'organization', subjectId: organizationId, states });
    return states.after;
  });
}
