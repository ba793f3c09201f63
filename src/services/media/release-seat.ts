import { IsNull } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import type { ClaimSeatInput } from '../../domain/call/voice.ts';
import type { SeatDeps } from './deps.ts';

/**
 * The call needs that place no more: its host ends the stream within a second. Again, or when the call has a
 * newer place, it is nothing.
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
