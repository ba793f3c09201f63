import { IsNull } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import type { SeatDeps } from './deps.ts';

/** Notes that media flow; the first time counts, `max_call_duration` begins there. */
export async function noteMedia({ deps: { db }, input: { callId, organizationId, generation, at } }: { deps: Pick<SeatDeps, 'db'>; input: { callId: number; organizationId: number; generation: number; at: Date } }): Promise<void> {
  await updateRows(db.manager, callSeats, { where: { callId, organizationId, generation, mediaBeganAt: IsNull() }, change: { mediaBeganAt: at } });
}
