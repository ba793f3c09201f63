import { EntitySchema } from 'typeorm';
import { flag, integer, longText, timestamp, nullable, uuid, word } from './columns.ts';

/**
 * A media host. It renews its lease every half second. When it no longer does and its process is gone, or
 * silent while another host has room, it is marked lost, and its calls move to other hosts.
 */
export interface MediaHostRow {
  /** New at each start of the process. */
  id: string;
  /** The Temporal task queue that only this host polls. */
  hostQueue: string;
  /** Base URL of its sockets for carriers and browsers, `ws://` or `wss://`. */
  publicUrl: string;
  /** Base URL of its health server for workers, which ask there whether the process lives. */
  probeUrl: string;
  startedAt: Date;
  leaseExpiresAt: Date;
  isDraining: boolean;
  liveCalls: number;
  maxCalls: number;
  /** Set by the first process that finds the host lost, or by the host itself when it stops. Never reset. */
  lostAt: Date | null;
  /** Set when all its calls were notified. */
  lostReportedAt: Date | null;
}

export const mediaHosts = new EntitySchema<MediaHostRow>({
  name: 'media_hosts',
  columns: {
    id: { ...uuid('id'), primary: true, primaryKeyConstraintName: 'pk_media_hosts' },
    hostQueue: word('host_queue', 96),
    publicUrl: longText('public_url'),
    probeUrl: longText('probe_url'),
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
