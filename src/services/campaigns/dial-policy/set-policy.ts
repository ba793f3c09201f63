import { In } from 'typeorm';
import type { DialPolicyAnswer, DialPolicyRequest } from '../../../contract/dialing.ts';
import { validationRecord } from '../../../contract/lax/records.ts';
import { updateRows } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { hasNumbers } from '../../../domain/telephony/dial-rule.ts';
import type { CampaignRuns } from '../../../temporal/port.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { wakeRunningCampaigns } from '../records/wake-running.ts';
import { lockPolicy } from './lock-policy.ts';
import { fromDialPolicy, toDialPolicy } from './mapper.ts';

/** What `setDialPolicy` needs to wake campaigns. */
export interface SetPolicyDeps {
  campaignRuns: CampaignRuns;
}

/**
 * Replaces the organization's dial policy. Earlier dials count for the new caps as for the old ones. Rows
 * that caps or hours had postponed are decided again, and sleeping campaigns are woken for that. Throws
 * ValidationError for an unknown country code.
 */
export async function setDialPolicy({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: SetPolicyDeps;
  input: DialPolicyRequest;
}): Promise<DialPolicyAnswer> {
  requireCountries(input);
  const { organizationId } = ctx;
  const answer = await write(ctx, async (tx) => {
    const at = ctx.clock.now();
    // Before the policy is locked: a claim takes the two locks in this order, too.
    await updateRows(tx, campaigns, {
      where: { organizationId, state: In(['syncing', 'running', 'paused']) },
      change: { reviseAfterRow: 0 },
    });
    const before = await lockPolicy(tx, organizationId, at);
    const after = { policy: fromDialPolicy(input), updatedAt: at };
    await updateRows(tx, dialPolicies, { where: { organizationId }, change: after });
    const states = { before: toDialPolicy(before), after: toDialPolicy(after) };
    await appendAudit(tx, {
      action: 'dial_policy.set',
      subjectKind: 'organization',
      subjectId: organizationId,
      states,
    });
    return states.after;
  });
  // guarantee: policy-change-wakes-campaigns
  await wakeRunningCampaigns(ctx, deps);
  return answer;
}

/** A code without numbers would silently allow nothing. */
function requireCountries({ allowed_countries: countries }: DialPolicyRequest): void {
  const faults = (countries ?? []).flatMap((code, index) =>
    hasNumbers(code)
      ? []
      : [
          validationRecord(['body', 'allowed_countries', index], {
            type: 'value_error',
            msg: 'Value error, this is not the ISO 3166-1 code of a country with phone numbers, such as DE',
            input: code,
            ctx: { error: {} },
          }),
        ],
  );
  if (faults.length > 0) throw new ValidationError('A country is unknown', { detail: faults });
}
