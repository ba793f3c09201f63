import { IsNull } from 'typeorm';
import { findRow, updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import type { CallStarter } from '../../temporal/port.ts';
import type { SeatDeps } from './deps.ts';

interface MediaBegan {
  callId: number;
  organizationId: number;
  generation: number;
  at: Date;
}

/**
 * Tells the call that media flow. A dialed call learns by it that it was answered, without waiting for the
 * carrier's event. Rejects unless both the call and the record know it; then it may be repeated, because
 * only the first time counts.
 */
export async function noteMedia({
  deps: { db, calls: running },
  input,
}: {
  deps: Pick<SeatDeps, 'db'> & { calls: Pick<CallStarter, 'mediaBegan'> };
  input: MediaBegan;
}): Promise<void> {
  const { callId, organizationId, at } = input;
  const call = await findRow(db.manager, calls, { id: callId, organizationId });
  await Promise.all([
    // guarantee: media-start-wakes-the-call
    call?.direction === 'outbound' ? running.mediaBegan(call.uuid, { at: at.toISOString() }) : null,
    recordMedia(db, input),
  ]);
}

/**
 * Records that media flow: the call is now `talking` (`running` on the wire, contract 6.2), and
 * `max_call_duration` begins. A call that is not admitted yet, as a browser's may be, becomes `talking` when it
 * is admitted.
 */
async function recordMedia(
  db: SeatDeps['db'],
  { callId, organizationId, generation, at }: MediaBegan,
): Promise<void> {
  await updateRows(db.manager, callSeats, {
    where: { callId, organizationId, generation, mediaBeganAt: IsNull() },
    change: { mediaBeganAt: at },
  });
  // guarantee: call-runs-from-first-media
  await updateRows(db.manager, calls, {
    where: { id: callId, organizationId, state: 'admitted' },
    change: { state: 'talking' },
  });
}
