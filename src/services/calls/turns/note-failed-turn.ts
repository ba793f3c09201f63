import type { EntityManager } from 'typeorm';
import { insertRow, updateRows } from '../../../db/rows.ts';
import { failedTurns } from '../../../db/tables/failed-turns.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { initialCheckpoint } from '../../../domain/call/checkpoint.ts';
import type { Line } from '../../../domain/call/line.ts';
import { committedLines, lockSession } from './commit-turn.ts';
import { failuresOf, type ConversationDeps, type StoredCheckpoint } from './deps.ts';
import type { CallRef } from '../../kernel/index.ts';
import { failedTurnEvent } from './feedback-events.ts';
import type { ModelUsage } from './usage.ts';
import { insertWaste } from './wasted.ts';

export interface NoteFailedTurnInput extends CallRef {
  /** Failed turns of the call, this one included. */
  failures: number;
  /** Error code of the failure. */
  code: string;
  /** Usage of its steps before it failed. */
  usages: (ModelUsage | null)[];
  /** The turn's place, and why it failed, without text of the conversation. */
  failed: { branch: number; turnIndex: number; nodeId: string; nodeName: string; error: string };
}

/**
 * Stores that the last turn of a session failed; revision and conversation stay unchanged (contract 6.10). A
 * repeated call counts nothing twice. Returns the turn's lines if a lost worker committed it after all.
 */
export async function noteFailedTurn({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: NoteFailedTurnInput;
}): Promise<Line[] | null> {
  const { callId, organizationId, failures, failed } = input;
  return await inTransaction(deps.db, async (db) => {
    const session = await lockSession(db, input);
    if (failuresOf(session) >= failures) return null;
    // guarantee: committed-turn-is-no-failure
    const committed = await committedLines(db, input, failed);
    if (committed !== null || session.status === 'completed') return committed;
    await insertWaste(db, { ref: input, usages: input.usages, at: deps.clock.now() });
    await insertFailure(db, input, deps.clock.now());
    const checkpoint: StoredCheckpoint = { ...(session.checkpoint ?? initialCheckpoint), failures };
    await updateRows(db, textSessions, {
      where: { callId, organizationId },
      change: { status: 'error', checkpoint, updatedAt: deps.clock.now() },
    });
    return null;
  });
}

async function insertFailure(
  db: EntityManager,
  { callId, organizationId, failures: failure, code, failed }: NoteFailedTurnInput,
  at: Date,
): Promise<void> {
  const { branch, turnIndex, error, ...place } = failed;
  await insertRow(db, failedTurns, {
    callId,
    organizationId,
    failure,
    branch,
    turnIndex,
    event: failedTurnEvent({ turnIndex, place, error, code, at }),
    createdAt: at,
  });
}
