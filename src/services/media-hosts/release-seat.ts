import { IsNull } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import type { SeatDeps } from './deps.ts';

/** The call needs its place no more: its host ends the stream within a second. Again, or without a place, it is nothing. */
export async function releaseSeat({ deps: { db, clock }, input: { callId, organizationId } }: { deps: Pick<SeatDeps, 'db' | 'clock'>; input: { callId: number; organizationId: number } }): Promise<void> {
  await updateRows(db.manager, callSeats, { where: { callId, organizationId, releasedAt: IsNull() }, change: { releasedAt: clock.now() } });
}
