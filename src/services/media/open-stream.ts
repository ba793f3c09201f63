import { createHash, timingSafeEqual } from 'node:crypto';
import { IsNull } from 'typeorm';
import { findRow, updateRows } from '../../db/rows.ts';
import { callSeats } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { tokenPlace, type SeatDeps } from './deps.ts';

/** A request to open a stream at a host: the path of contract 12.6. */
export interface StreamRequest {
  agentId: number;
  organizationId: number;
  callId: number;
  token: string;
}

export type OpenedStream =
  | { kind: 'opened'; generation: number }
  /**
   * `unknown`: no such call. `wrong_token`: a wrong or missing token. `taken`: the call has its stream
   * already, has its seat elsewhere, or is over.
   */
  | { kind: 'refused'; reason: 'unknown' | 'wrong_token' | 'taken' };

/**
 * Accepts a stream once for each seat of a call: of two streams with the same token only one is accepted,
 * even on different hosts.
 */
export async function openStream({
  deps: { db, secrets, clock },
  input,
  hostId,
}: {
  deps: SeatDeps;
  input: StreamRequest;
  hostId: string;
}): Promise<OpenedStream> {
  const { agentId, organizationId, callId, token } = input;
  const call = await findRow(db.manager, calls, { id: callId, organizationId, agentId });
  const seat = call === null ? null : await findRow(db.manager, callSeats, { callId, organizationId });
  if (call === null || seat === null) return { kind: 'refused', reason: 'unknown' };
  if (!isSame(secrets.open(seat.tokenEncrypted, tokenPlace(organizationId)), token))
    return { kind: 'refused', reason: 'wrong_token' };
  if (call.state === 'ended' || call.state === 'refused') return { kind: 'refused', reason: 'taken' };
  const { generation, tokenEncrypted } = seat;
  // The condition includes the sealed token, because a seat that was claimed again meanwhile has another one.
  const taken = await updateRows(db.manager, callSeats, {
    where: {
      callId,
      organizationId,
      generation,
      hostId,
      tokenEncrypted,
      // guarantee: stream-token-admits-once
      tokenUsedAt: IsNull(),
      releasedAt: IsNull(),
    },
    change: { tokenUsedAt: clock.now() },
  });
  return taken === 1 ? { kind: 'opened', generation } : { kind: 'refused', reason: 'taken' };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((each) => createHash('sha256').update(each).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
