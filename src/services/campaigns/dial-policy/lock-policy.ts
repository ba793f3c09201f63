import type { EntityManager } from 'typeorm';
import { changeRows, getRow } from '../../../db/rows.ts';
import { dialPolicies, type DialPolicyRow } from '../../../db/tables/dial-policies.ts';

/** What an organization that never changed or dialed anything has. */
const nothingYet = { policy: '{}', paceTokens: 1 };

/**
 * The organization's policy, made when there is none, and held until the transaction ends. Its foreign key is
 * looked at each time: that holds the organization's own row, too, shared, so that nobody who counts lines
 * begins a call meanwhile (`hasFreeLine`).
 */
export async function lockPolicy(
  tx: EntityManager,
  organizationId: number,
  at: Date,
): Promise<DialPolicyRow> {
  const sql =
    'INSERT INTO dial_policies (organization_id, policy, pace_tokens, pace_at, updated_at) VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE organization_id = organization_id';
  await changeRows(tx, {
    organizationId,
    sql,
    values: [organizationId, nothingYet.policy, nothingYet.paceTokens, at, at],
  });
  return await getRow(tx, dialPolicies, { organizationId }, { isLocked: true });
}
