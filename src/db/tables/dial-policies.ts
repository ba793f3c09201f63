import { EntitySchema } from 'typeorm';
import type { DialPolicy } from '../../domain/campaign/policy.ts';
import { double, json, timestamp, nullable, primaryReference, reference } from './columns.ts';

/**
 * What an organization allows its campaigns, and its recent dial pace; no row before the first change or
 * dial.
 */
export interface DialPolicyRow {
  organizationId: number;
  policy: DialPolicy;
  /** No campaign of the organization dials from this time on; null when they may. */
  stoppedAt: Date | null;
  /** Null when no user did it. */
  stoppedByUserId: number | null;
  /** The same by the operator of the installation; the organization cannot undo it. */
  operatorStoppedAt: Date | null;
  /** Dials that may start at `paceAt` within the organization's pace: a token bucket. */
  paceTokens: number;
  paceAt: Date;
  updatedAt: Date;
}

export const dialPolicies = new EntitySchema<DialPolicyRow>({
  name: 'dial_policies',
  columns: {
    organizationId: primaryReference('organization_id', 'dial_policies'),
    policy: json('policy'),
    stoppedAt: nullable(timestamp('stopped_at')),
    stoppedByUserId: nullable(reference('stopped_by_user_id')),
    operatorStoppedAt: nullable(timestamp('operator_stopped_at')),
    paceTokens: double('pace_tokens'),
    paceAt: timestamp('pace_at'),
    updatedAt: timestamp('updated_at'),
  },
  foreignKeys: [
    {
      name: 'fk_dial_policies_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
