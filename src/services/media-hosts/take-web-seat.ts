import { randomBytes } from 'node:crypto';
import { columns, findRow } from '../../db/rows.ts';
import { callSeats, type CallSeatRow } from '../../db/tables/call-seats.ts';
import { calls } from '../../db/tables/calls.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { OpenedStream } from './open-stream.ts';
import { tokenPlace, type SeatDeps } from './deps.ts';
import type { WebCall } from './web-call-token.ts';

/** A browser takes the first place of its call at the host that it reached: once, whatever comes with the same token. */
export async function takeWebSeat({ deps: { db, secrets, clock }, call: { callId, organizationId, agentId }, hostId }: { deps: SeatDeps; call: WebCall; hostId: string }): Promise<OpenedStream> {
  return await inTransaction(db, async (tx) => {
    const call = await findRow(tx, calls, { id: callId, organizationId, agentId }, { isLocked: true });
    if (call === null) return { kind: 'refused', reason: 'unknown' };
    const known = await findRow(tx, callSeats, { callId, organizationId });
    if (known !== null || call.state === 'ended' || call.state === 'refused') return { kind: 'refused', reason: 'taken' };
    const now = clock.now();
    // Nobody gets to know its token: the socket is there already.
    const tokenEncrypted = secrets.seal(randomBytes(24).toString('hex'), tokenPlace(organizationId));
    await tx.getRepository(callSeats).insert(columns<CallSeatRow>({ callId, organizationId, generation: 1, hostId, tokenEncrypted, tokenUsedAt: now, claimedAt: now, mediaBeganAt: null, releasedAt: null }));
    return { kind: 'opened', generation: 1 };
  });
}
