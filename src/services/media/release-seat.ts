import { IsNull } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import type { ClaimSeatInput } from '../../domain/call/voice.ts';
import type { SeatDeps } from './deps.ts';

/**
 * Releases a seat that the call no longer needs: its host ends the stream within a second. Changes nothing if
 * the seat is released already or the call has a newer one.
 */
export async function releaseSeat({
  deps: { db, clock },
  input: { callId, organizationId, generation },
}: {
  deps: Pick<SeatDeps, 'db' | 'clock'>;
  input: ClaimSeatInput;
}): Promise<void> {
  await updateRows(db.manager, callSeats, {
    where: { callId, organizationId, generation, releasedAt: IsNull() },
    change: { releasedAt: clock.now() },
  });
}
