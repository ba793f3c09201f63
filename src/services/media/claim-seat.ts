import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { findRow, insertRows, updateRows } from '../../db/rows.ts';
import { callSeats, type CallSeatRow } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ClaimSeatInput } from '../../domain/call/voice.ts';
import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import { tokenPlace, type SeatDeps } from './deps.ts';

/**
 * Gives a call its seat at a host, with a fresh token for its stream (contract 12.6). A repeated claim of the
 * same generation moves the seat to the last claimer, because only its answer reaches the call. Throws
 * NotFoundError; PreconditionError if the call is over or has a newer seat.
 */
export async function claimSeat({
  deps,
  input,
  hostId,
}: {
  deps: SeatDeps;
  input: ClaimSeatInput;
  hostId: string;
}): Promise<void> {
  const { callId, organizationId, generation } = input;
  await inTransaction(deps.db, async (tx) => {
    const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
    if (call === null) throw new NotFoundError('The call does not exist');
    if (call.state === 'ended' || call.state === 'refused') throw new PreconditionError('The call is over');
    const known = await findRow(tx, callSeats, { callId, organizationId });
    // guarantee: older-generation-cannot-hold-call
    if (known !== null && known.generation > generation)
      throw new PreconditionError('The call has a newer seat');
    await place(tx, { known, seat: freshSeat(deps, input, hostId) });
  });
}

function freshSeat(
  { secrets, clock }: SeatDeps,
  { callId, organizationId, generation }: ClaimSeatInput,
  hostId: string,
): FreshSeat {
  const tokenEncrypted = secrets.seal(randomBytes(24).toString('hex'), tokenPlace(organizationId));
  return {
    callId,
    organizationId,
    generation,
    hostId,
    tokenEncrypted,
    tokenUsedAt: null,
    claimedAt: clock.now(),
    releasedAt: null,
  };
}

type FreshSeat = Omit<CallSeatRow, 'mediaBeganAt' | 'moves'>;

/** Keeps the time at which media began, because a call's duration counts from its first stream, and notes a move. */
async function place(
  tx: EntityManager,
  { known, seat }: { known: CallSeatRow | null; seat: FreshSeat },
): Promise<void> {
  const { callId, organizationId, generation, claimedAt } = seat;
  if (known === null) return await insertRows(tx, callSeats, [{ ...seat, mediaBeganAt: null, moves: null }]);
  const moves =
    generation > known.generation ? [...(known.moves ?? []), claimedAt.toISOString()] : known.moves;
  await updateRows(tx, callSeats, { where: { callId, organizationId }, change: { ...seat, moves } });
}
