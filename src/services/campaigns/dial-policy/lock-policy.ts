import type { EntityManager } from 'typeorm';
import { changeRows, getRow } from '../../../db/rows.ts';
import { dialPolicies, type DialPolicyRow } from '../../../db/tables/dial-policies.ts';

/** The policy row of an organization that has never changed its policy or dialed. */
const nothingYet = { policy: '{}', paceTokens: 1 };

/**
 * Reads the organization's policy row, locked until the transaction ends; inserts it if there is none. The
 * foreign key check of the insert also takes a shared lock on the organization's row, so that no transaction
 * that counts lines starts a call meanwhile (`hasFreeLine`).
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
