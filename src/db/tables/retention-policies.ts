import { EntitySchema } from 'typeorm';
import { integer, timestamp, nullable, primaryReference } from './columns.ts';

/**
 * How long an organization stores the data of its calls, in days after their end; null means forever. Without
 * a row everything is stored.
 */
export interface RetentionPolicyRow {
  organizationId: number;
  transcriptDays: number | null;
  recordingDays: number | null;
  variableDays: number | null;
  updatedAt: Date;
  /** When retention was last applied. */
  appliedAt: Date | null;
}

export const retentionPolicies = new EntitySchema<RetentionPolicyRow>({
  name: 'retention_policies',
  columns: {
    organizationId: primaryReference('organization_id', 'retention_policies'),
    transcriptDays: nullable(integer('transcript_days')),
    recordingDays: nullable(integer('recording_days')),
    variableDays: nullable(integer('variable_days')),
    updatedAt: timestamp('updated_at'),
    appliedAt: nullable(timestamp('applied_at')),
  },
  foreignKeys: [
    {
      name: 'fk_retention_policies_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
