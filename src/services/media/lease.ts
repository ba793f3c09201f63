import type { DataSource } from 'typeorm';
import { acrossOrganizations, changeRows } from '../../db/rows.ts';
import { timeoutsMs } from '../../domain/declaration.ts';

/**
 * The end of a media host's lease. All timestamps are the database's, so that hosts and workers need no
 * common clock.
 */
const leaseEnd = `UTC_TIMESTAMP(6) + INTERVAL ${timeoutsMs.mediaLease * 1000} MICROSECOND`;

export interface NewHost {
  /** Random, new at each start. */
  id: string;
  hostQueue: string;
  publicUrl: string;
  /** Where workers ask whether the process lives. */
  probeUrl: string;
  maxCalls: number;
}

/** Registers a host and begins its lease. */
export async function registerHost({
  db,
  host: { id, hostQueue, publicUrl, probeUrl, maxCalls },
}: {
  db: DataSource;
  host: NewHost;
}): Promise<void> {
  await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: `INSERT INTO media_hosts (id, host_queue, public_url, probe_url, started_at, lease_expires_at, is_draining, live_calls, max_calls, lost_at, lost_reported_at) VALUES (?, ?, ?, ?, UTC_TIMESTAMP(6), ${leaseEnd}, 0, 0, ?, NULL, NULL)`,
    values: [id, hostQueue, publicUrl, probeUrl, maxCalls],
  });
}

export interface HostNews {
  id: string;
  isDraining: boolean;
  liveCalls: number;
}

/**
 * Renews the lease, even an expired one, unless the host has been declared lost. Answers `lost` if it has,
 * and its calls are moving to other hosts.
 */
export async function renewLease({
  db,
  host: { id, isDraining, liveCalls },
}: {
  db: DataSource;
  host: HostNews;
}): Promise<'held' | 'lost'> {
  // guarantee: lost-host-cannot-renew-lease
  const affectedRows = await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: `UPDATE media_hosts SET lease_expires_at = ${leaseEnd}, is_draining = ?, live_calls = ? WHERE id = ? AND lost_at IS NULL`,
    values: [isDraining, liveCalls, id],
  });
  return affectedRows === 1 ? 'held' : 'lost';
}

/** Ends the lease of a stopping host permanently. Calls that still have a seat there move at once. */
export async function endLease({ db, hostId }: { db: DataSource; hostId: string }): Promise<void> {
  await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: 'UPDATE media_hosts SET lease_expires_at = UTC_TIMESTAMP(6), lost_at = UTC_TIMESTAMP(6), is_draining = 1 WHERE id = ? AND lost_at IS NULL',
    values: [hostId],
  });
}
