import { IsNull, type EntityManager } from 'typeorm';
import { deleteRows, findRow, updateRows } from '../../../db/rows.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { ownText } from '../../../domain/graph/definition.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';
import type { LegOutcome } from '../../../domain/telephony/hangup-causes.ts';
import { statusCallbacks } from '../records/status-callbacks.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';

/** How a spoken call ended, as its Workflow knows it. */
export interface SpokenEnd {
  /**
   * The `<word>` of `telephony_<word>` for a call that was not connected (contract 8.6); null for one that
   * was.
   */
  word: LegOutcome['word'];
  /** The call could not be started, so no phone rang. */
  hasFailedToStart: boolean;
  /** ISO 8601; when media began, or null when the call was not answered. */
  answeredAt: string | null;
  /** When the connection ended, ISO 8601; null when unknown. */
  endedAt: string | null;
  /** How each leg of the call ended. */
  legs: EndedLeg[];
  /** Facts for the campaign; absent for a call without one, and when the call's Workflow is gone. */
  retryClass?: RetryClass;
  notDialed?: NotDialed | null;
  /** True when it is unknown whether the phone rang. */
  isInDoubt?: boolean;
}

export interface EndedLeg {
  reference: string;
  cause: string | null;
  detection: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  /** False when the leg may still ring or be answered, as far as the call knows. */
  isOver: boolean;
}

export interface ClosedSpoken {
  answeredAt: Date | null;
  /** From the beginning of media to the end (contract 3.2). */
  talkedSeconds: number;
  logs: { telephony_status_callbacks?: Record<string, unknown>[] };
  events: FeedbackEvent[];
}

/**
 * The phone's part of a call's record: closes legs and seat, deletes the journal, and copies the carrier
 * events into the log.
 */
export async function closeSpoken(
  tx: EntityManager,
  { call, spoken, endedAt }: { call: CallRow; spoken: SpokenEnd; endedAt: Date },
): Promise<ClosedSpoken> {
  const { id: callId, organizationId } = call;
  const seat = await findRow(tx, callSeats, { callId, organizationId });
  await updateRows(tx, callSeats, {
    where: { callId, organizationId, releasedAt: IsNull() },
    change: { releasedAt: endedAt },
  });
  await deleteRows(tx, journalEntries, { callId, organizationId });
  for (const leg of spoken.legs) await closeLeg(tx, organizationId, leg, endedAt);
  const answeredAt = dateOf(spoken.answeredAt);
  const callbacks = await statusCallbacks(tx, { callId, organizationId });
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

/** A leg that may still live is marked for hanging up: the next carrier event about it hangs it up. */
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
  // guarantee: abandoned-dial-hung-up-on-answer
  const end = isOver ? { state: 'ended' as const, endedAt: dateOf(endedAt) ?? at } : { hangUpFrom: at };
  await updateRows(tx, phoneLegs, { where: { reference, organizationId }, change: { ...known, ...end } });
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
