import type { DataSource } from 'typeorm';
import { acrossOrganizations, changeRows } from '../../db/rows.ts';
import { timeoutsMs } from '../../domain/declaration.ts';

/**
 * A media host's lease. Moments are those of the database, so that hosts and those who watch them need no
 * common clock.
 */
const leaseEnd = `UTC_TIMESTAMP(6) + INTERVAL ${timeoutsMs.mediaLease * 1000} MICROSECOND`;

export interface NewHost {
  /** Random, new at each start. */
  id: string;
  hostQueue: string;
  publicUrl: string;
  maxCalls: number;
}

/** Makes a host known; its lease begins. */
export async function registerHost({
  db,
  host: { id, hostQueue, publicUrl, maxCalls },
}: {
  db: DataSource;
  host: NewHost;
}): Promise<void> {
  await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: `INSERT INTO media_hosts (id, host_queue, public_url, started_at, lease_expires_at, is_draining, live_calls, max_calls, lost_at, lost_reported_at) VALUES (?, ?, ?, UTC_TIMESTAMP(6), ${leaseEnd}, 0, 0, ?, NULL, NULL)`,
    values: [id, hostQueue, publicUrl, maxCalls],
  });
}

export interface HostNews {
  id: string;
  isDraining: boolean;
  liveCalls: number;
}

/**
 * Prolongs the lease, also one that has run out, as long as nobody has decided that the host is lost. `lost`:
 * somebody has, and the host's calls are being placed elsewhere.
 */
export async function renewLease({
  db,
  host: { id, isDraining, liveCalls },
}: {
  db: DataSource;
  host: HostNews;
}): Promise<'held' | 'lost'> {
  // guarantee: one-found-lost-never
  const affectedRows = await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: `UPDATE media_hosts SET lease_expires_at = ${leaseEnd}, is_draining = ?, live_calls = ? WHERE id = ? AND lost_at IS NULL`,
    values: [isDraining, liveCalls, id],
  });
  return affectedRows === 1 ? 'held' : 'lost';
}

/** Ends the lease of a host that stops, for good: what is still seated there is placed elsewhere at once. */
export async function endLease({ db, hostId }: { db: DataSource; hostId: string }): Promise<void> {
  await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: 'UPDATE media_hosts SET lease_expires_at = UTC_TIMESTAMP(6), lost_at = UTC_TIMESTAMP(6), is_draining = 1 WHERE id = ? AND lost_at IS NULL',
    values: [hostId],
  });
}
