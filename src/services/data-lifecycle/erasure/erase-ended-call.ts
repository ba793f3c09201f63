import { In, IsNull, LessThan, Not, type EntityManager } from 'typeorm';
import { deleteRows, findRow, findRows, updateRows } from '../../../db/rows.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { dispositionWithoutWords, tagsWithoutWords } from '../../../domain/call/without-words.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import { callWorkflowId, deliveryWorkflowId, judgeAgainWorkflowId } from '../../../domain/temporal-ids.ts';
import type { Histories } from '../../../temporal/histories-port.ts';
import { removeRecordingFiles, type RecordingStore } from '../../calls/index.ts';
import type { CallRef, ServiceContext } from '../../kernel/index.ts';
import { forgetDisposition } from './forget-disposition.ts';
import { isOver, lockCall, type LockedCall } from './lock-call.ts';
import { removeRecording } from './remove-recording.ts';
import { removeTranscript } from './remove-transcript.ts';
import { removeVariables } from './remove-variables.ts';
import { addRemoved, type Removed } from './removed.ts';

/** Where an erasure works. */
export type EraseCallContext = Pick<ServiceContext, 'organizationId' | 'db' | 'clock'>;

/** What the erasure of a call needs. */
export interface EraseCallDeps {
  histories: Histories;
  /** Storage of recordings; absent if the installation has none. */
  files?: RecordingStore | undefined;
}

export interface ErasedCall {
  removed: Removed;
  /** The number of running executions that were ended. */
  ended: number;
  /** The number of executions that were deleted from Temporal. */
  forgotten: number;
}

/**
 * Erases one ended call with its webhooks and judgments. Deletes their Workflows first, which ends running ones, and the rows
 * last, so that an interrupted erasure finds the call again. A waiting webhook becomes a dead letter with the
 * reason. A repeated run finds nothing.
 *
 * Throws PreconditionError for a live call, UnavailableError.
 */
export async function eraseEndedCall({
  ctx,
  deps: { histories, files },
  call: { callId, callUuid },
}: {
  ctx: EraseCallContext;
  deps: EraseCallDeps;
  call: { callId: number; callUuid: string };
}): Promise<ErasedCall> {
  const ref = { callId, organizationId: ctx.organizationId };
  const itself = await histories.forget(callWorkflowId(callUuid));
  const others = await inTransaction(ctx.db, async (tx) => [
    ...(await findRows(tx, deliveries, ref, { select: ['id', 'uuid'] })).map(({ uuid }) =>
      deliveryWorkflowId(uuid),
    ),
    ...(await judgments(tx, ref)).map((number) => judgeAgainWorkflowId(callUuid, number)),
  ]);
  const all = [itself, ...(await Promise.all(others.map((each) => histories.forget(each))))];
  if (files !== undefined) await removeRecordingFiles({ files, callId });
  const removed = await inTransaction(ctx.db, (tx) => removeRows(tx, ctx, callId));
  // Again, for a recording that was being stored meanwhile.
  if (files !== undefined) await removeRecordingFiles({ files, callId });
  return {
    ended: all.filter(({ wasRunning }) => wasRunning).length,
    forgotten: all.reduce((sum, { runs }) => sum + runs, 0),
    removed,
  };
}

/** The numbers of the judgments that were asked for. */
async function judgments(tx: EntityManager, { callId: id, organizationId }: CallRef): Promise<number[]> {
  const call = await findRow(tx, calls, { id, organizationId }, { select: ['id', 'judging'] });
  return Array.from({ length: call?.judging?.number ?? 0 }, (_, index) => index + 1);
}

async function removeRows(
  tx: EntityManager,
  { organizationId, clock }: EraseCallContext,
  callId: number,
): Promise<Removed> {
  const locked = await lockCall(tx, { callId, organizationId });
  if (locked === null) throw new NotFoundError('The call does not exist');
  if (!isOver(locked.call)) throw new PreconditionError(`Call ${callId} is live`);
  const at = clock.now();
  const removed = addRemoved(
    await removeTranscript(tx, locked, at),
    await removeVariables(tx, locked, at),
    await removeRecording(tx, locked),
    await removeTraces(tx, locked, at),
  );
  return { ...removed, calls: 1 };
}

/**
 * Removes what retention leaves because it does not identify a person by itself: free-text dispositions,
 * errors, and the ids that clients gave to requests.
 */
async function removeTraces(
  tx: EntityManager,
  { call, deliveries: sent }: LockedCall,
  at: Date,
): Promise<Removed> {
  const { id, organizationId } = call;
  const disposition = dispositionWithoutWords(call, { isPersonErased: true });
  await updateRows(tx, calls, {
    where: { id, organizationId },
    change: { disposition, tags: tagsWithoutWords(call, disposition), logs: {} },
  });
  await forgetDisposition(tx, call, disposition);
  const ids = sent.map((each) => each.id);
  const waiting = sent.filter(({ state }) => state === 'pending').map((each) => each.id);
  if (ids.length > 0) {
    await updateRows(tx, deliveries, { where: { id: In(ids), organizationId }, change: { lastError: null } });
    await updateRows(tx, deliveryAttempts, {
      where: { deliveryId: In(ids), organizationId },
      change: { error: null, responseExcerpt: null },
    });
  }
  if (waiting.length > 0)
    await updateRows(tx, deliveries, {
      where: { id: In(waiting), organizationId },
      change: {
        state: 'dead_letter',
        lastError: 'Not sent: the call was erased',
        nextAttemptAt: null,
        finishedAt: at,
      },
    });
  // A host that still holds the call ends its stream within a second and stops writing.
  await updateRows(tx, callSeats, {
    where: { callId: id, organizationId, releasedAt: IsNull() },
    change: { releasedAt: at },
  });
  return {
    // The carrier's ids of the legs would lead to the carrier's records.
    phone_legs: await updateRows(tx, phoneLegs, {
      where: { callId: id, organizationId, callControlId: Not(IsNull()) },
      change: { callControlId: null, legId: null, sessionId: null },
    }),
    audit_events:
      (await forgetRequestIds(tx, organizationId, 'call', [id])) +
      (await forgetRequestIds(tx, organizationId, 'webhook_delivery', ids)),
    // An abandoned request left a claimed key that names no subject; its expired claim may go.
    idempotency_keys: await deleteRows(tx, idempotencyKeys, {
      organizationId,
      state: 'claimed',
      subjectId: IsNull(),
      claimExpiresAt: LessThan(at),
    }),
  };
}

/** Clients choose the request id, so it may contain personal data. */
async function forgetRequestIds(
  tx: EntityManager,
  organizationId: number,
  subjectKind: string,
  ids: number[],
): Promise<number> {
  return ids.length === 0
    ? 0
    : await updateRows(tx, auditEvents, {
        where: { organizationId, subjectKind, subjectId: In(ids) },
        change: { requestId: null },
      });
}
