import type { EntityManager } from 'typeorm';
import { findRow, findRows, getRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { carrierEvents } from '../../../db/tables/carrier-events.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { turns } from '../../../db/tables/turns.ts';
import { initialCheckpoint, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import { appendAudit, type CallRef, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import { reportCallEnd } from '../../campaigns/index.ts';
import {
  finalizeWithin,
  leaveUnjudged,
  prepareDeliveries,
  refuseWithin,
  type CallEnd,
  type ConversationDeps,
  type FinalizeDeps,
  type SpokenEnd,
} from '../../calls/index.ts';
import { hangUpAll } from '../../telephony/index.ts';
import type { ReconcileDeps } from './deps.ts';
import type { OrphanedCall } from './find-orphaned-calls.ts';
import { reconcilerOf } from './internal.ts';

/**
 * Closes an orphaned call. Refuses it if it was never admitted. Else ends it with what was committed, with
 * the disposition `system_cancelled` if an operator stopped it, else `unexpected_error`, and hangs up its
 * legs. Renders its webhooks (contract 6.8: failed calls have webhooks, too), which the pump sends. A repeated
 * run changes nothing.
 */
export async function closeOrphanedCall({
  deps,
  input,
}: {
  deps: ConversationDeps & Pick<ReconcileDeps, 'accounts'>;
  input: OrphanedCall;
}): Promise<void> {
  const ctx = reconcilerOf(deps, input.organizationId);
  const isAdmitted = await write(ctx, (tx) => endWithin(tx, { ctx, prices: deps.prices, input }));
  if (isAdmitted && deps.accounts !== undefined)
    // guarantee: terminated-call-hung-up
    await hangUpAll({ deps: { ...deps, accounts: deps.accounts }, input });
  if (isAdmitted) await prepareDeliveries({ deps, input: refOf(input) });
}

/**
 * Only ends the call, in the caller's transaction, and sends nothing. Answers whether it was ever admitted.
 */
export async function endWithin(
  tx: Write,
  { ctx, prices, input: { callId: id, wasStopped } }: Ending,
): Promise<boolean> {
  const { organizationId } = ctx;
  const call = await getRow(tx, calls, { id, organizationId }, { isLocked: true });
  if (call.state === 'ended' || call.state === 'refused') return call.state === 'ended';
  if (call.state === 'created' || call.state === 'pending') {
    // A `created` call was never begun, so it did not fail and has no end to report.
    if (call.state === 'created')
      await updateRows(tx, calls, {
        where: { id, organizationId },
        change: { state: 'refused', endedAt: ctx.clock.now() },
      });
    else await reportRefused(tx, await refuseWithin(tx, ctx, call));
    await appendAudit(tx, {
      action: 'call.refused',
      subjectKind: 'call',
      subjectId: id,
      changes: { from: call.state },
    });
    return false;
  }
  const reason = wasStopped ? 'system_cancelled' : 'unexpected_error';
  const { checkpoint, spoken } =
    call.channel === 'text' ? await textEnd(tx, call) : await orphanEnd(tx, call);
  // guarantee: terminated-call-gets-disposition
  await finalizeWithin(tx, {
    deps: { ...ctx, prices, reportCallEnd },
    input: {
      callId: id,
      organizationId,
      reason,
      checkpoint,
      extractions: [],
      failedExtractions: [],
      ...(spoken === null ? {} : { spoken }),
    },
  });
  await leaveUnjudged(tx, { callId: id, organizationId });
  await appendAudit(tx, {
    action: 'call.closed',
    subjectKind: 'call',
    subjectId: id,
    changes: { from: call.state, reason },
  });
  return true;
}

const reportRefused = async (tx: EntityManager, end: CallEnd | null): Promise<void> => {
  if (end !== null) await reportCallEnd(tx, end);
};

async function textEnd(
  tx: EntityManager,
  { id: callId, organizationId }: CallRow,
): Promise<{ checkpoint: Checkpoint; spoken: null }> {
  const session = await findRow(tx, textSessions, { callId, organizationId });
  return { checkpoint: atTheEnd(session?.checkpoint ?? null, session?.revision ?? 0), spoken: null };
}

/**
 * What is known of a spoken call without its Workflow: its committed turns and the carrier's events.
 */
async function orphanEnd(
  tx: EntityManager,
  { id: callId, organizationId }: CallRow,
): Promise<{ checkpoint: Checkpoint; spoken: SpokenEnd }> {
  const [last] = await findRows(
    tx,
    turns,
    { callId, organizationId },
    { order: { turnIndex: 'DESC' }, take: 1 },
  );
  const legs = await findRows(tx, phoneLegs, { callId, organizationId });
  const events = await findRows(
    tx,
    carrierEvents,
    { callId, organizationId },
    { select: ['eventType', 'occurredAt'], order: { occurredAt: 'ASC' } },
  );
  const when = (eventType: string) =>
    events.find((each) => each.eventType.replaceAll('_', '.') === eventType)?.occurredAt.toISOString() ??
    null;
  const endedAt = when('call.hangup');
  return {
    checkpoint: atTheEnd(last?.checkpoint ?? null, last?.checkpoint.revision ?? 0),
    // In doubt if it was dialed, so that it may have rung, and was not answered.
    spoken: {
      isInDoubt: when('call.answered') === null && legs.some(({ dialedAt }) => dialedAt !== null),
      word: null,
      hasFailedToStart: false,
      answeredAt: when('call.answered'),
      endedAt,
      legs: legs.map(({ reference, hangupCause: cause, detection, answeredAt }) => ({
        reference,
        cause,
        detection,
        answeredAt: answeredAt?.toISOString() ?? null,
        endedAt,
        isOver: endedAt !== null,
      })),
    },
  };
}

interface Ending {
  ctx: ServiceContext;
  prices: FinalizeDeps['prices'];
  input: Pick<OrphanedCall, 'callId' | 'wasStopped'>;
}

/** An end without a turn is a separate change, with the next revision (contract 6.10). */
function atTheEnd(checkpoint: Checkpoint | null, revision: number): Checkpoint {
  const { nodeId, visitIndex, turnIndex, nodesVisited, branch, lineage } = checkpoint ?? initialCheckpoint;
  return { nodeId, visitIndex, turnIndex, nodesVisited, branch, lineage, revision: revision + 1 };
}

const refOf = ({ callId, organizationId }: CallRef): CallRef => ({ callId, organizationId });
