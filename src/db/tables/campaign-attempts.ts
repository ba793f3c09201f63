import { EntitySchema } from 'typeorm';
import type { TargetOutcome } from '../../domain/campaign/outcome.ts';
import { flag, timestamp, nullable, primaryInteger, primaryReference, reference, word } from './columns.ts';

/**
 * One attempt to reach a target: at most one dial, and its call. Written in the transaction that writes the
 * call.
 */
export interface CampaignAttemptRow {
  campaignId: number;
  rowNumber: number;
  /** From 1. */
  attemptNumber: number;
  organizationId: number;
  callId: number;
  /** The outcome that caused this attempt; null for the first one. */
  because: TargetOutcome | null;
  begunAt: Date;
  /** Null while the attempt is live. */
  outcome: TargetOutcome | null;
  /** Whether it counts for the retry plan; null while the attempt is live. */
  isSpent: boolean | null;
  settledAt: Date | null;
}

export const campaignAttempts = new EntitySchema<CampaignAttemptRow>({
  name: 'campaign_attempts',
  columns: {
    campaignId: primaryReference('campaign_id', 'campaign_attempts'),
    rowNumber: primaryInteger('row_number', 'campaign_attempts'),
    attemptNumber: primaryInteger('attempt_number', 'campaign_attempts'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    because: nullable(word('because', 24)),
    begunAt: timestamp('begun_at'),
    outcome: nullable(word('outcome', 24)),
    isSpent: nullable(flag('is_spent')),
    settledAt: nullable(timestamp('settled_at')),
  },
  indices: [
    { name: 'uq_campaign_attempts_call', columns: ['callId'], unique: true },
    // Outcomes within the breaker's window.
    { name: 'ix_campaign_attempts_settled', columns: ['campaignId', 'settledAt', 'outcome'] },
  ],
  foreignKeys: [
    {
      name: 'fk_campaign_attempts_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_campaign_attempts_campaign',
      target: 'campaigns',
      columnNames: ['campaignId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_campaign_attempts_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
