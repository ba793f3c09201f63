import { IsNull, Not, type DataSource } from 'typeorm';
import { acrossOrganizations, changeRows, findRow, findRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { mediaHosts } from '../../db/tables/media-hosts.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { findOpenHost } from './find-open-host.ts';

/** Reports a lost seat to its call, at least once. Rejects if the call could not be reached. */
export type TellSeatLost = (lost: { callUuid: string; generation: number }) => Promise<void>;

/** How long the rows of lost hosts are kept. */
const keptDays = 1;

/**
 * Finds lost hosts and informs their calls. A host is lost when its lease has expired and another host has a
 * free seat. If no other host has one, the calls are better off waiting, and the host is lost only after
 * `mediaLeaseAlone`. A lost host never gets its calls back. Any number of processes may run this
 * at once: the first one marks a host, and a later run informs the calls that could not be reached. Answers
 * the number of hosts whose calls were informed.
 */
export async function findLostHosts({ db, tell }: { db: DataSource; tell: TellSeatLost }): Promise<number> {
  // guarantee: lone-host-gets-longer-lease
  const graceMs =
    (await findOpenHost(db.manager)) === null ? timeoutsMs.mediaLeaseAlone - timeoutsMs.mediaLease : 0;
  // guarantee: expired-media-host-marked-lost
  await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
    sql: `UPDATE media_hosts SET lost_at = UTC_TIMESTAMP(6) WHERE lost_at IS NULL AND lease_expires_at < UTC_TIMESTAMP(6) - INTERVAL ${graceMs * 1000} MICROSECOND`,
  });
  const lost = await findRows(
    db,
    mediaHosts,
    { lostAt: Not(IsNull()), lostReportedAt: IsNull() },
    { select: ['id'] },
  );
  for (const { id } of lost) {
    for (const seat of await seatedAt(db, id)) await tell(seat);
    await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
      sql: 'UPDATE media_hosts SET lost_reported_at = UTC_TIMESTAMP(6) WHERE id = ? AND lost_reported_at IS NULL',
      values: [id],
    });
  }
  if (lost.length > 0)
    await changeRows(acrossOrganizations(db, 'media hosts belong to no organization'), {
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
