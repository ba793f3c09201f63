import { In } from 'typeorm';
import { acrossOrganizations, findRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import type { SeatDeps } from './deps.ts';

export interface HeldSeat {
  callId: number;
  generation: number;
}

export interface LostSeat extends HeldSeat {
  kind: 'overtaken' | 'released';
}

/**
 * The seats that a host has lost: `overtaken` by another seat of the call, or `released` because the call no
 * longer needs one.
 */
export async function findOvertaken({
  deps: { db },
  hostId,
  held,
}: {
  deps: Pick<SeatDeps, 'db'>;
  hostId: string;
  held: readonly HeldSeat[];
}): Promise<LostSeat[]> {
  if (held.length === 0) return [];
  const rows = await findRows(
    acrossOrganizations(db, 'a host asks for the calls that it holds itself'),
    callSeats,
    { callId: In(held.map(({ callId }) => callId)) },
    { select: ['callId', 'generation', 'hostId', 'releasedAt'] },
  );
  const byCall = new Map(rows.map((row) => [row.callId, row]));
  return held.flatMap((seat): LostSeat[] => {
    const row = byCall.get(seat.callId);
    if (row === undefined || row.generation !== seat.generation || row.hostId !== hostId)
      // guarantee: moved-call-stays-moved
      return [{ ...seat, kind: 'overtaken' }];
    return row.releasedAt === null ? [] : [{ ...seat, kind: 'released' }];
  });
}
