import { IsNull } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import type { SeatDeps } from './deps.ts';

/**
 * Records that media flow: the call is now `talking` (`running` on the wire, contract 6.2). Only the first
 * time counts, and `max_call_duration` begins then. A call that is not admitted yet, as a browser's may be,
 * becomes `talking` when it is admitted.
 */
export async function noteMedia({
  deps: { db },
  input: { callId, organizationId, generation, at },
}: {
  deps: Pick<SeatDeps, 'db'>;
  input: { callId: number; organizationId: number; generation: number; at: Date };
}): Promise<void> {
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
