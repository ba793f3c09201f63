import { EntitySchema } from 'typeorm';
import { integer, longText, timestamp, nullable, primaryReference, reference, uuid } from '../columns.ts';

/**
 * The place of a live call at a media host. One row a call: a higher generation takes it over, and everything
 * that an older one writes or opens is refused from then on.
 */
export interface CallSeatRow {
  callId: number;
  organizationId: number;
  generation: number;
  hostId: string;
  /** The token of the stream (contract 12.6), sealed: random for each (call, generation), good once. */
  tokenEncrypted: string;
  tokenUsedAt: Date | null;
  claimedAt: Date;
  /** When the stream began for the first time: `max_call_duration` counts from here. */
  mediaBeganAt: Date | null;
  /** Null while the call needs it. */
  releasedAt: Date | null;
}

export const callSeats = new EntitySchema<CallSeatRow>({
  name: 'call_seats',
  columns: {
    callId: primaryReference('call_id', 'call_seats'),
    organizationId: reference('organization_id'),
    generation: integer('generation'),
    hostId: uuid('host_id'),
    tokenEncrypted: longText('token_encrypted'),
    tokenUsedAt: nullable(timestamp('token_used_at')),
    claimedAt: timestamp('claimed_at'),
    mediaBeganAt: nullable(timestamp('media_began_at')),
    releasedAt: nullable(timestamp('released_at')),
  },
  indices: [{ name: 'ix_call_seats_host', columns: ['hostId', 'releasedAt'] }],
  foreignKeys: [
    {
      name: 'fk_call_seats_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_call_seats_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
