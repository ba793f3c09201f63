import type { EntityManager } from 'typeorm';
import { deleteRows, updateRows } from '../../../db/rows.ts';
import { callSummaries } from '../../../db/tables/call-summaries.ts';
import { calls } from '../../../db/tables/calls.ts';
import { failedTurns } from '../../../db/tables/failed-turns.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { turns } from '../../../db/tables/turns.ts';
import { dispositionWithoutWords } from '../../../domain/call/without-words.ts';
import type { CallRef } from '../../kernel/index.ts';
import { withoutResults } from '../../../domain/qa/judging.ts';
import { forgetDisposition } from './forget-disposition.ts';
import type { LockedCall } from './lock-call.ts';
import type { Removed } from './removed.ts';

/**
 * Removes what was said in a call, in the caller's transaction: turns with their tools, failed turns,
 * summaries, the session's checkpoint, events, stored answers for repeated requests, and a disposition in the
 * model's own words. A repeated run finds nothing.
 */
export async function removeTranscript(tx: EntityManager, { call }: LockedCall, at: Date): Promise<Removed> {
  const { id, organizationId } = call;
  const ref: CallRef = { callId: id, organizationId };
  const { realtime_feedback_events: _, ...logs } = call.logs;
  const disposition = dispositionWithoutWords(call, { isPersonErased: false });
  const tags = call.tags.filter((tag) => tag !== call.disposition || disposition === call.disposition);
  const removed = {
    turns: await deleteRows(tx, turns, ref),
    failed_turns: await deleteRows(tx, failedTurns, ref),
    call_summaries: await deleteRows(tx, callSummaries, ref),
    journal_entries: await deleteRows(tx, journalEntries, ref),
    idempotency_keys: await forgetAnswers(tx, ref),
    text_sessions: await updateRows(tx, textSessions, {
      where: ref,
      change: { checkpoint: null, cursorTurnUuid: null },
    }),
    calls: await updateRows(tx, calls, {
      where: { id, organizationId },
      change: {
        logs,
        disposition,
        tags,
        judging: withoutResults(call.judging),
        transcriptAvailable: false,
        transcriptErasedAt: call.transcriptErasedAt ?? at,
      },
    }),
  };
  await forgetDisposition(tx, call, disposition);
  return removed;
}

/** Deletes the stored answers of requests about the call: each contains the session at that time. */
export async function forgetAnswers(tx: EntityManager, { callId, organizationId }: CallRef): Promise<number> {
  return await deleteRows(tx, idempotencyKeys, { organizationId, subjectKind: 'call', subjectId: callId });
}
