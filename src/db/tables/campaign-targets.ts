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
} from '../columns.ts';

/**
 * `queued`: never dialed. `waiting`: to be dialed again from `dueAt` on. `processing`: leased, a call of it
 * goes on. `processed`, `failed`: nothing more will be done. On the wire `waiting` is `queued` (contract
 * 11.6).
 */
export type TargetState = 'queued' | 'waiting' | 'processing' | 'processed' | 'failed';

/** The place and state of one contact in one campaign. */
export interface CampaignTargetRow {
  campaignId: number;
  /** Of the contact in its import. */
  rowNumber: number;
  organizationId: number;
  state: TargetState;
  /** Digits with country code, no plus. */
  phone: string;
  /** As the contact's. */
  zoneKey: string;
  /** Order of the first dials; lower is earlier. */
  position: number;
  /** When it may be dialed again; null where it was never dialed. */
  dueAt: Date | null;
  /** What its plan, or a promise, says without hours and caps; null = nothing. */
  notBefore: Date | null;
  /** Why it waits (src/domain/campaign/wait-reason.ts); null = for its turn. */
  waitReason: string | null;
  /** Attempts of the contact that the retry plan counts. */
  spentAttempts: number;
  /** Calls that were begun, those that spent no attempt among them: the number of the last one. */
  attempts: number;
  /** Of the last attempt; null before the first one ended. */
  outcome: TargetOutcome | null;
  /** Of the last attempt. */
  callId: number | null;
  /** Which number the present call shows; null when none is held. */
  phoneNumberId: number | null;
  /** Of a target in `processing`: looked after when this is over. */
  claimedUntil: Date | null;
  /** When the last attempt ended, or the row without one. */
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
    // What is to be dialed again, and the next moment at which something is.
    { name: 'ix_campaign_targets_due', columns: ['campaignId', 'state', 'dueAt'] },
    // Numbers that campaigns of an organization show now, and how many lines it has in use.
    { name: 'ix_campaign_targets_lines', columns: ['organizationId', 'state', 'phoneNumberId'] },
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
