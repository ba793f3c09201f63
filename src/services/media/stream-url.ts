import { findRow } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { mediaHosts } from '../../db/tables/media-hosts.ts';
import type { ClaimSeatInput } from '../../domain/call/voice.ts';
import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import { streamUrl as writeStreamUrl } from '../../domain/telephony/stream-url.ts';
import { tokenPlace, type SeatDeps } from './deps.ts';

/**
 * The URL at which a carrier opens the stream of a call's seat (contract 12.6). It contains the token, so
 * only the carrier may get it. Throws NotFoundError; PreconditionError if the seat no longer belongs to the
 * call.
 */
export async function streamUrl({
  deps: { db, secrets },
  input: { callId, organizationId, generation },
}: {
  deps: Pick<SeatDeps, 'db' | 'secrets'>;
  input: ClaimSeatInput;
}): Promise<string> {
  const call = await findRow(db.manager, calls, { id: callId, organizationId });
  const seat = await findRow(db.manager, callSeats, { callId, organizationId });
  if (call === null || seat === null) throw new NotFoundError('The call has no seat');
  const host = await findRow(db.manager, mediaHosts, { id: seat.hostId });
  if (seat.generation !== generation || seat.releasedAt !== null || host === null)
    throw new PreconditionError('The seat no longer belongs to the call');
  return writeStreamUrl({
    publicUrl: host.publicUrl,
    agentId: call.agentId,
    organizationId,
    callId,
    generation,
    token: secrets.open(seat.tokenEncrypted, tokenPlace(organizationId)),
  });
}
