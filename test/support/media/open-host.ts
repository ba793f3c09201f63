import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { mediaHosts, type MediaHostRow } from '../../../src/db/tables/media-hosts.ts';

const dayMs = 86_400_000;

/** A media host as the rest of the system sees it, whose lease needs no renewal. Nothing listens there. */
export async function insertOpenHost(
  db: DataSource,
  changes: Partial<MediaHostRow> = {},
): Promise<{ hostId: string; hostQueue: string }> {
  const id = randomUUID();
  const row = {
    id,
    hostQueue: `parlance-media-${id}`,
    publicUrl: 'ws://media.example.test',
    probeUrl: 'http://media.example.test',
    startedAt: new Date(),
    leaseExpiresAt: new Date(Date.now() + dayMs),
    isDraining: false,
    liveCalls: 0,
    maxCalls: 10,
    lostAt: null,
    lostReportedAt: null,
    ...changes,
  };
  await db.getRepository(mediaHosts).insert(row);
  return { hostId: row.id, hostQueue: row.hostQueue };
}
