import { EntitySchema } from 'typeorm';
import { flag, integer, longText, moment, nullable, uuid, word } from '../columns.ts';

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
  lostToldAt: Date | null;
}

export const mediaHosts = new EntitySchema<MediaHostRow>({
  name: 'media_hosts',
  columns: {
    id: { ...uuid('id'), primary: true, primaryKeyConstraintName: 'pk_media_hosts' },
    hostQueue: word('host_queue', 96),
    publicUrl: longText('public_url'),
    startedAt: moment('started_at'),
    leaseExpiresAt: moment('lease_expires_at'),
    isDraining: flag('is_draining'),
    liveCalls: integer('live_calls'),
    maxCalls: integer('max_calls'),
    lostAt: nullable(moment('lost_at')),
    lostToldAt: nullable(moment('lost_told_at')),
  },
  indices: [{ name: 'ix_media_hosts_lease', columns: ['lostToldAt', 'leaseExpiresAt'] }],
});
