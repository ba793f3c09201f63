import { textSessions } from '../../db/tables/text-sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { initialCheckpoint } from '../../domain/call/checkpoint.ts';
import { lockSession } from './commit-turn.ts';
import type { CallRef, ConversationDeps, StoredCheckpoint } from './deps.ts';

export interface NoteFailedTurnInput extends CallRef {
  /** Failed turns of the call, this one included. */
  failures: number;
  /** Code of the failure. */
  code: string;
}

/** The session shows that its last turn failed; revision and conversation stay as they were (contract 6.10). */
export async function noteFailedTurn({ deps, input }: { deps: ConversationDeps; input: NoteFailedTurnInput }): Promise<void> {
  const { callId, organizationId, failures } = input;
  await inTransaction(deps.db, async (db) => {
    const session = await lockSession(db, input);
    if (session.status === 'completed') return;
    const checkpoint: StoredCheckpoint = { ...(session.checkpoint ?? initialCheckpoint), failures };
    await db.getRepository(textSessions).update({ callId, organizationId }, { status: 'error', checkpoint, updatedAt: deps.clock.now() });
  });
}
