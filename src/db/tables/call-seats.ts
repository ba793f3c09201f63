import { EntitySchema } from 'typeorm';
import {
  integer,
  json,
  longText,
  timestamp,
  nullable,
  primaryReference,
  reference,
  uuid,
} from './columns.ts';

/**
 * The seat of a live call at a media host, one row per call. A higher generation takes it over; writes and
 * streams of older generations are refused from then on.
 */
export interface CallSeatRow {
  callId: number;
  organizationId: number;
  generation: number;
  hostId: string;
  /** The sealed token of the stream (contract 12.6): random for each call and generation, valid once. */
  tokenEncrypted: string;
  tokenUsedAt: Date | null;
  claimedAt: Date;
  /** When the first stream began; `max_call_duration` counts from here. */
  mediaBeganAt: Date | null;
  /** Null while the call needs it. */
  releasedAt: Date | null;
  /** When the call got each further seat, ISO 8601; null while it is at its first. */
  moves: string[] | null;
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
    moves: nullable(json('moves')),
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
