import { IsNull } from 'typeorm';
import { findRow, updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import type { CallStarter } from '../../temporal/port.ts';
import type { SeatDeps } from './deps.ts';

/**
 * Records that media flow: the call is now `talking` (`running` on the wire, contract 6.2). Only the first
 * time counts, and `max_call_duration` begins then. A call that is not admitted yet, as a browser's may be,
 * becomes `talking` when it is admitted. A dialed call learns by it that it was answered, without waiting for
 * the carrier's event.
 */
export async function noteMedia({
  deps: { db, calls: running },
  input: { callId, organizationId, generation, at },
}: {
  deps: Pick<SeatDeps, 'db'> & { calls: Pick<CallStarter, 'mediaBegan'> };
  input: { callId: number; organizationId: number; generation: number; at: Date };
}): Promise<void> {
  const first = await updateRows(db.manager, callSeats, {
    where: { callId, organizationId, generation, mediaBeganAt: IsNull() },
    change: { mediaBeganAt: at },
  });
  // guarantee: call-runs-from-first-media
  await updateRows(db.manager, calls, {
    where: { id: callId, organizationId, state: 'admitted' },
    change: { state: 'talking' },
  });
  if (first === 0) return;
  const call = await findRow(db.manager, calls, { id: callId, organizationId });
  // guarantee: media-start-wakes-the-call
  if (call?.direction === 'outbound') await running.mediaBegan(call.uuid, { at: at.toISOString() });
}
