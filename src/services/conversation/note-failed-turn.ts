import { textSessions } from '../../db/tables/text-sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { initialCheckpoint } from '../../domain/call/checkpoint.ts';
import { lockSession } from './commit-turn.ts';
import { failuresOf, type CallRef, type ConversationDeps, type StoredCheckpoint } from './deps.ts';
import type { ModelUsage } from './usage.ts';
import { insertWaste } from './wasted.ts';

export interface NoteFailedTurnInput extends CallRef {
  /** Failed turns of the call, this one included. */
  failures: number;
  /** Code of the failure. */
  code: string;
  /** What its steps used before it failed; absent = nothing. */
  usages?: (ModelUsage | null)[];
}

/** The session shows that its last turn failed; revision and conversation stay as they were (contract 6.10). Noted again, nothing is counted twice. */
export async function noteFailedTurn({ deps, input }: { deps: ConversationDeps; input: NoteFailedTurnInput }): Promise<void> {
  const { callId, organizationId, failures } = input;
  await inTransaction(deps.db, async (db) => {
    const session = await lockSession(db, input);
    if (session.status === 'completed' || failuresOf(session) >= failures) return;
    await insertWaste(db, { ref: input, usages: input.usages ?? [], at: deps.clock.now() });
    const checkpoint: StoredCheckpoint = { ...(session.checkpoint ?? initialCheckpoint), failures };
    await db.getRepository(textSessions).update({ callId, organizationId }, { status: 'error', checkpoint, updatedAt: deps.clock.now() });
  });
}
