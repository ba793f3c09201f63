import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { findRow, insertRows, updateRows } from '../../../../db/rows.ts';
import { callSeats } from '../../../../db/tables/call-seats.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { CallLimits } from '../../../telephony/index.ts';
import { hasFreeLine } from '../free-line.ts';
import { findUsedUpQuota } from '../../../models/index.ts';
import { tokenPlace, type SeatDeps, type WebCall } from '../../../media/index.ts';

type TakenWebSeat =
  | { kind: 'opened'; generation: number }
  /**
   * `unknown`: no such call. `taken`: the call has already begun. `over`: the call has ended. `limit`: the
   * organization has reached its maximum of concurrent calls, or a quota of the day.
   */
  | { kind: 'refused'; reason: 'unknown' | 'taken' | 'over' | 'limit' };

interface TakeWebSeatDeps extends SeatDeps {
  /** Replaces the usual limits. */
  limits?: CallLimits | undefined;
}

/**
 * Gives a browser's call a seat at the host that the browser reached. It succeeds only once per call, however
 * often the same token is used (contract 15.2). The call is then `pending`, and the host must start it.
 */
export async function takeWebSeat({
  deps,
  call: { callId, organizationId, agentId },
  hostId,
}: {
  deps: TakeWebSeatDeps;
  call: WebCall;
  hostId: string;
}): Promise<TakenWebSeat> {
  return await inTransaction(deps.db, async (tx) => {
    const call = await findRow(tx, calls, { id: callId, organizationId, agentId }, { isLocked: true });
    if (call === null) return { kind: 'refused', reason: 'unknown' };
    if (call.state === 'ended' || call.state === 'refused') return { kind: 'refused', reason: 'over' };
    // guarantee: web-call-token-starts-once
    if (call.state !== 'created') return { kind: 'refused', reason: 'taken' };
    if (!(await hasFreeLine(tx, { organizationId }, { limits: deps.limits, direction: 'outbound' })))
      return { kind: 'refused', reason: 'limit' };
    const conversation = { quotas: deps.limits?.quotas, versionId: call.versionId, isSpoken: true };
    // guarantee: used-up-quota-refuses-browser-calls
    if ((await findUsedUpQuota(tx, { ...deps, organizationId }, conversation)) !== null)
      return { kind: 'refused', reason: 'limit' };
    await updateRows(tx, calls, { where: { id: callId, organizationId }, change: { state: 'pending' } });
    await insertSeat(tx, deps, { callId, organizationId, hostId });
    return { kind: 'opened', generation: 1 };
  });
}

async function insertSeat(
  tx: EntityManager,
  { secrets, clock }: SeatDeps,
  { callId, organizationId, hostId }: { callId: number; organizationId: number; hostId: string },
): Promise<void> {
  const now = clock.now();
  // The token stays unused, because the socket is already open.
  const tokenEncrypted = secrets.seal(randomBytes(24).toString('hex'), tokenPlace(organizationId));
  await insertRows(tx, callSeats, [
    {
      callId,
      organizationId,
      generation: 1,
      hostId,
      tokenEncrypted,
      tokenUsedAt: now,
      claimedAt: now,
      mediaBeganAt: null,
      moves: null,
      releasedAt: null,
    },
  ]);
}
