import { EntitySchema } from 'typeorm';
import { flag, integer, longText, timestamp, nullable, uuid, word } from '../columns.ts';

/**
 * A media process. It renews its lease every half second; one whose lease is over may be found lost, and its
 * calls are placed elsewhere.
 */
export interface MediaHostRow {
  /** New at each start of the process. */
  id: string;
  /** Task queue that it alone polls. */
  hostQueue: string;
  /** Base URL under which carriers and browsers reach its sockets, `ws://` or `wss://`. */
  publicUrl: string;
  startedAt: Date;
  leaseExpiresAt: Date;
  isDraining: boolean;
  liveCalls: number;
  maxCalls: number;
  /** Set by whoever finds the host lost first, or by itself when it stops. Never taken back. */
  lostAt: Date | null;
  /** Set when every call of it was told. */
  lostReportedAt: Date | null;
}

export const mediaHosts = new EntitySchema<MediaHostRow>({
  name: 'media_hosts',
  columns: {
    id: { ...uuid('id'), primary: true, primaryKeyConstraintName: 'pk_media_hosts' },
    hostQueue: word('host_queue', 96),
    publicUrl: longText('public_url'),
    startedAt: timestamp('started_at'),
    leaseExpiresAt: timestamp('lease_expires_at'),
    isDraining: flag('is_draining'),
    liveCalls: integer('live_calls'),
    maxCalls: integer('max_calls'),
    lostAt: nullable(timestamp('lost_at')),
    lostReportedAt: nullable(timestamp('lost_reported_at')),
  },
  indices: [{ name: 'ix_media_hosts_lease', columns: ['lostReportedAt', 'leaseExpiresAt'] }],
});
