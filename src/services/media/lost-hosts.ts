import { IsNull, Not, type DataSource } from 'typeorm';
import { acrossOrganizations, changeRows, findRow, findRows, queryRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { mediaHosts } from '../../db/tables/media-hosts.ts';
import { timeoutsMs } from '../../domain/declaration.ts';

/** Reports a lost seat to its call, at least once. Rejects if the call could not be reached. */
export type TellSeatLost = (lost: { callUuid: string; generation: number }) => Promise<void>;

/** A host that was not found lost. */
export interface WatchedHost {
  id: string;
  probeUrl: string;
  /** Time since its last renewal, by the database's clock. */
  quietMs: number;
}

const reason = 'media hosts belong to no organization';
/** How long the rows of lost hosts are kept. */
const keptDays = 1;

/** All hosts that were not found lost, and whether calls of lost ones were not informed yet. */
export async function findWatchedHosts(
  db: DataSource,
): Promise<{ hosts: WatchedHost[]; isReportDue: boolean }> {
  const rows: { id: string; probeUrl: string; isLost: number; lateUs: string | number }[] = await queryRows(
    acrossOrganizations(db, reason),
    {
      sql: 'SELECT id, probe_url AS probeUrl, lost_at IS NOT NULL AS isLost, TIMESTAMPDIFF(MICROSECOND, lease_expires_at, UTC_TIMESTAMP(6)) AS lateUs FROM media_hosts WHERE lost_reported_at IS NULL',
    },
  );
  const watched = rows.filter(({ isLost }) => isLost === 0);
  return {
    hosts: watched.map(({ id, probeUrl, lateUs }) => ({
      id,
      probeUrl,
      quietMs: Number(lateUs) / 1000 + timeoutsMs.mediaLease,
    })),
    isReportDue: watched.length < rows.length,
  };
}

/** Marks a host lost for good, unless it has renewed its lease within `quietMs`. */
export async function markLost({
  db,
  hostId,
  quietMs,
}: {
  db: DataSource;
  hostId: string;
  quietMs: number;
}): Promise<void> {
  const overdueMs = quietMs - timeoutsMs.mediaLease;
  // guarantee: expired-media-host-marked-lost
  await changeRows(acrossOrganizations(db, reason), {
    sql: `UPDATE media_hosts SET lost_at = UTC_TIMESTAMP(6) WHERE id = ? AND lost_at IS NULL AND lease_expires_at < UTC_TIMESTAMP(6) - INTERVAL ${overdueMs * 1000} MICROSECOND`,
    values: [hostId],
  });
}

/**
 * Informs the calls of lost hosts. A lost host never gets its calls back. Any number of processes may run
 * this at once: a later run informs the calls that could not be reached. Answers the number of hosts whose
 * calls were informed.
 */
export async function reportLostHosts({ db, tell }: { db: DataSource; tell: TellSeatLost }): Promise<number> {
  const lost = await findRows(
    db,
    mediaHosts,
    { lostAt: Not(IsNull()), lostReportedAt: IsNull() },
    { select: ['id'] },
  );
  for (const { id } of lost) {
    for (const seat of await seatedAt(db, id)) await tell(seat);
    await changeRows(acrossOrganizations(db, reason), {
      sql: 'UPDATE media_hosts SET lost_reported_at = UTC_TIMESTAMP(6) WHERE id = ? AND lost_reported_at IS NULL',
      values: [id],
    });
  }
  if (lost.length > 0)
    await changeRows(acrossOrganizations(db, reason), {
      sql: `DELETE FROM media_hosts WHERE lost_reported_at < UTC_TIMESTAMP(6) - INTERVAL ${keptDays} DAY`,
    });
  return lost.length;
}

async function seatedAt(db: DataSource, hostId: string): Promise<{ callUuid: string; generation: number }[]> {
  const seats = await findRows(
    acrossOrganizations(db, 'a lost host had calls of every organization'),
    callSeats,
    { hostId, releasedAt: IsNull() },
    { select: ['callId', 'organizationId', 'generation'] },
  );
  const found = await Promise.all(
    seats.map(async ({ callId, organizationId, generation }) => {
      const call = await findRow(db, calls, { id: callId, organizationId }, { select: ['uuid', 'state'] });
      return call === null || call.state === 'ended' || call.state === 'refused'
        ? []
        : [{ callUuid: call.uuid, generation }];
    }),
  );
  return found.flat();
}
