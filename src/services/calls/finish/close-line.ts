import { IsNull, type EntityManager } from 'typeorm';
import { deleteRows, findRow, findRows, updateRows } from '../../../db/rows.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { isObject, ownObject, ownText } from '../../../domain/graph/definition.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';
import type { LegOutcome } from '../../../domain/telephony/hangup-causes.ts';
import { callStatus } from '../../../domain/telephony/call-status.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';

/** How a spoken call ended, as its Workflow knows it. */
export interface SpokenEnd {
  /** What `telephony_<word>` says of a call that was not connected (contract 8.6); null for one that was. */
  word: LegOutcome['word'];
  /** The call could not be started: nobody was rung. */
  hasFailedToStart: boolean;
  /** ISO 8601; when media began, or null when nobody answered. */
  answeredAt: string | null;
  /** When the line was down, ISO 8601; null when nobody knows. */
  endedAt: string | null;
  /** How each of its legs ended, by its reference. */
  legs: EndedLeg[];
  /** What its campaign is told besides; absent where there is none, and where the call's Workflow is gone. */
  retryClass?: RetryClass;
  notDialed?: NotDialed | null;
  /** Nobody knows whether it rang. */
  isInDoubt?: boolean;
}

export interface EndedLeg {
  reference: string;
  cause: string | null;
  detection: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  /** False: it may ring or be answered yet, for all that the call knows. */
  isOver: boolean;
}

export interface ClosedLine {
  answeredAt: Date | null;
  /** From the first moment of media to the end (contract 3.2). */
  talkedSeconds: number;
  logs: { telephony_status_callbacks?: Record<string, unknown>[] };
  events: FeedbackEvent[];
}

/**
 * The line's part of a record: legs and seat are closed, the journal has served its turn, and what the
 * carrier told becomes part of the log.
 */
export async function closeLine(
  tx: EntityManager,
  { call, spoken, endedAt }: { call: CallRow; spoken: SpokenEnd; endedAt: Date },
): Promise<ClosedLine> {
  const { id: callId, organizationId } = call;
  const seat = await findRow(tx, callSeats, { callId, organizationId });
  await updateRows(tx, callSeats, {
    where: { callId, organizationId, releasedAt: IsNull() },
    change: { releasedAt: endedAt },
  });
  await deleteRows(tx, journalEntries, { callId, organizationId });
  for (const leg of spoken.legs) await closeLeg(tx, organizationId, leg, endedAt);
  const told = await findRows(
    tx,
    carrierEvents,
    { callId, organizationId },
    { order: { occurredAt: 'ASC', id: 'ASC' } },
  );
  const answeredAt = dateOf(spoken.answeredAt);
  const callbacks = told.flatMap((event) => callbackOf(event));
  return {
    answeredAt,
    talkedSeconds:
      answeredAt === null
        ? 0
        : secondsBetween(seat?.mediaBeganAt ?? answeredAt, dateOf(spoken.endedAt) ?? endedAt),
    logs: callbacks.length === 0 ? {} : { telephony_status_callbacks: callbacks },
    events: spoken.hasFailedToStart ? [failedStartEvent(call, endedAt)] : [],
  };
}

export function secondsBetween(from: Date | null, to: Date | null): number {
  return from === null || to === null ? 0 : Math.max(0, to.getTime() - from.getTime()) / 1000;
}

/** One that is not over is given up: whoever hears that it lives hangs it up. */
async function closeLeg(
  tx: EntityManager,
  organizationId: number,
  { reference, cause, detection, answeredAt, endedAt, isOver }: EndedLeg,
  at: Date,
): Promise<void> {
  const known = {
    hangupCause: cause?.slice(0, 64) ?? null,
    detection: detection?.slice(0, 32) ?? null,
    answeredAt: dateOf(answeredAt),
  };
  // guarantee: phone-rings-although-dial
  const end = isOver ? { state: 'ended' as const, endedAt: dateOf(endedAt) ?? at } : { hangUpFrom: at };
  await updateRows(tx, phoneLegs, { where: { reference, organizationId }, change: { ...known, ...end } });
}

/** Contract 6.7; events that are no change of the call's status are left out. */
function callbackOf({ eventType, occurredAt, raw }: CarrierEventRow): Record<string, unknown>[] {
  const payload = raw === null ? {} : ownObject(ownObject(raw, 'data'), 'payload');
  const status = callStatus(eventType, ownText(payload, 'hangup_cause') ?? null);
  if (status === null) return [];
  const data: unknown = raw?.['data'];
  return [
    {
      ...(isObject(data) ? data : {}),
      status,
      timestamp: occurredAt.toISOString(),
      call_id: ownText(payload, 'call_control_id') ?? null,
      duration: null,
    },
  ];
}

function failedStartEvent({ gatheredContext }: CallRow, at: Date): FeedbackEvent {
  return {
    type: 'rtf-pipeline-error',
    payload: { error: ownText(gatheredContext, 'error') ?? 'The call could not be started', fatal: true },
    timestamp: at.toISOString(),
    turn: 0,
  };
}

const dateOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
