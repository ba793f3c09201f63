import { EntitySchema } from 'typeorm';
import type { TargetOutcome } from '../../domain/campaign/outcome.ts';
import {
  integer,
  timestamp,
  nullable,
  primaryInteger,
  primaryReference,
  reference,
  signedBigint,
  word,
} from './columns.ts';

/**
 * `queued`: never dialed. `waiting`: due for another attempt from `dueAt` on. `processing`: claimed, with a
 * live call. `processed`, `failed`: finished. On the wire `waiting` is `queued` (contract 11.6).
 */
export type TargetState = 'queued' | 'waiting' | 'processing' | 'processed' | 'failed';

/** The state of one contact in one campaign. */
export interface CampaignTargetRow {
  campaignId: number;
  /** The row number of the contact in its import. */
  rowNumber: number;
  organizationId: number;
  state: TargetState;
  /** Digits with country code, no plus. */
  phone: string;
  /** The same as the contact's. */
  zoneKey: string;
  /** Order of the first dials; lower is earlier. */
  position: number;
  /** The earliest time of the next attempt; null if it was never dialed. */
  dueAt: Date | null;
  /** The time of the retry plan or of a promised callback, before hours and caps apply; null without one. */
  notBefore: Date | null;
  /** Why it waits (src/domain/campaign/wait-reason.ts); null when it waits only for its turn. */
  waitReason: string | null;
  /** Attempts that count for the retry plan. */
  spentAttempts: number;
  /** Number of the last attempt, including attempts that were not spent. */
  attempts: number;
  /** Outcome of the last attempt; null before the first one ended. */
  outcome: TargetOutcome | null;
  /** From the last attempt. */
  callId: number | null;
  /** The caller number of the live call; null when none is in use. */
  phoneNumberId: number | null;
  /** For a target in `processing`: the pacer checks it after this time. */
  claimedUntil: Date | null;
  /** When the last attempt ended, or when the row ended without one. */
  settledAt: Date | null;
}

export const campaignTargets = new EntitySchema<CampaignTargetRow>({
  name: 'campaign_targets',
  columns: {
    campaignId: primaryReference('campaign_id', 'campaign_targets'),
    rowNumber: primaryInteger('row_number', 'campaign_targets'),
    organizationId: reference('organization_id'),
    state: word('state', 12),
    phone: word('phone', 20),
    zoneKey: word('zone_key', 64),
    position: signedBigint('position'),
    dueAt: nullable(timestamp('due_at')),
    notBefore: nullable(timestamp('not_before')),
    waitReason: nullable(word('wait_reason', 32)),
    spentAttempts: integer('spent_attempts'),
    attempts: integer('attempts'),
    outcome: nullable(word('outcome', 24)),
    callId: nullable(reference('call_id')),
    phoneNumberId: nullable(reference('phone_number_id')),
    claimedUntil: nullable(timestamp('claimed_until')),
    settledAt: nullable(timestamp('settled_at')),
  },
  indices: [
    // First dials of the zones whose windows are open, in order.
    { name: 'ix_campaign_targets_fresh', columns: ['campaignId', 'state', 'zoneKey', 'position'] },
    // Targets that are due for another attempt, and the next due time.
    { name: 'ix_campaign_targets_due', columns: ['campaignId', 'state', 'dueAt'] },
    // Caller numbers in use by campaigns of an organization, and its lines in use.
    { name: 'ix_campaign_targets_lines', columns: ['organizationId', 'state', 'phoneNumberId'] },
    // Rows of a campaign whose last attempt ended in one way.
    { name: 'ix_campaign_targets_outcome', columns: ['campaignId', 'outcome'] },
    { name: 'ix_campaign_targets_phone', columns: ['organizationId', 'phone'] },
    { name: 'uq_campaign_targets_call', columns: ['callId'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_campaign_targets_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_campaign_targets_campaign',
      target: 'campaigns',
      columnNames: ['campaignId'],
      referencedColumnNames: ['id'],
    },
  ],
});
