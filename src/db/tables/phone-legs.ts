import { EntitySchema } from 'typeorm';
import { id, timestamp, nullable, reference, word } from './columns.ts';

/**
 * A leg of a call at the carrier. `main` is the caller's own; a transfer dials another. Events find their
 * call by the carrier's ids in this row. `dialedAt` is when the dial was claimed, once and before the request
 * is sent.
 */
export interface PhoneLegRow {
  id: number;
  organizationId: number;
  callId: number;
  role: 'main' | 'transfer';
  configurationId: number;
  /**
   * Our own reference at the carrier: `client_state` and the beginning of every `command_id`. It contains no
   * phone number.
   */
  reference: string;
  callControlId: string | null;
  legId: string | null;
  sessionId: string | null;
  state: 'new' | 'dialing' | 'ringing' | 'answered' | 'ended';
  /** The carrier's hang-up cause. */
  hangupCause: string | null;
  /** The carrier's result of answering machine detection. */
  detection: string | null;
  dialedAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  /**
   * Null while its call uses the leg. Otherwise the call has given it up, and the leg is hung up if it is
   * still live after this time.
   */
  hangUpFrom: Date | null;
  createdAt: Date;
}

export const phoneLegs = new EntitySchema<PhoneLegRow>({
  name: 'phone_legs',
  columns: {
    id: id('phone_legs'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    role: word('role', 16),
    configurationId: reference('configuration_id'),
    reference: word('reference', 96),
    callControlId: nullable(word('call_control_id', 255)),
    legId: nullable(word('leg_id', 96)),
    sessionId: nullable(word('session_id', 96)),
    state: word('state', 16),
    hangupCause: nullable(word('hangup_cause', 64)),
    detection: nullable(word('detection', 32)),
    dialedAt: nullable(timestamp('dialed_at')),
    answeredAt: nullable(timestamp('answered_at')),
    endedAt: nullable(timestamp('ended_at')),
    hangUpFrom: nullable(timestamp('hang_up_from')),
    createdAt: timestamp('created_at'),
  },
  indices: [
    { name: 'uq_phone_legs_reference', columns: ['reference'], unique: true },
    // A repeated event of an incoming call finds the call that the first event created.
    { name: 'uq_phone_legs_control', columns: ['organizationId', 'callControlId'], unique: true },
    { name: 'ix_phone_legs_call', columns: ['callId', 'role'] },
    { name: 'ix_phone_legs_leg', columns: ['organizationId', 'legId'] },
  ],
  foreignKeys: [
    {
      name: 'fk_phone_legs_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_phone_legs_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
