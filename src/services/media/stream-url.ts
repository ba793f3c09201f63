import { aliased, queryRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
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
  const columns = aliased(db, callSeats, 'seat');
  const [found] = await queryRows<
    Record<string, unknown> & { agentId: number | string; publicUrl: string | null }
  >(db, {
    organizationId,
    sql: `SELECT ${columns.columns}, spoken.agent_id AS agentId, host.public_url AS publicUrl
      FROM call_seats seat
      JOIN calls spoken ON spoken.id = seat.call_id AND spoken.organization_id = seat.organization_id
      LEFT JOIN media_hosts host ON host.id = seat.host_id
      WHERE seat.call_id = ? AND seat.organization_id = ?`,
    values: [callId, organizationId],
  });
  if (found === undefined) throw new NotFoundError('The call has no seat');
  const seat = columns.rowOf(found);
  if (seat.generation !== generation || seat.releasedAt !== null || found.publicUrl === null)
    throw new PreconditionError('The seat no longer belongs to the call');
  return writeStreamUrl({
    publicUrl: found.publicUrl,
    agentId: Number(found.agentId),
    organizationId,
    callId,
    generation,
    token: secrets.open(seat.tokenEncrypted, tokenPlace(organizationId)),
  });
}
