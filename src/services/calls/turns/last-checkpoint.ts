import { type Db, findRow } from '../../../db/rows.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { turns } from '../../../db/tables/turns.ts';
import { initialCheckpoint, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import type { CallRef } from '../../kernel/index.ts';

/**
 * The latest checkpoint of a conversation: a text session's own, or that of a spoken call's last committed
 * turn; before the first turn, the initial one.
 */
export async function lastCheckpoint(db: Db, { callId, organizationId }: CallRef): Promise<Checkpoint> {
  const session = await findRow(db, textSessions, { callId, organizationId });
  if (session !== null) return session.checkpoint ?? initialCheckpoint;
  const last = await findRow(
    db,
    turns,
    { callId, organizationId },
    { select: ['id', 'checkpoint'], order: { branch: 'DESC', turnIndex: 'DESC' } },
  );
  return last?.checkpoint ?? initialCheckpoint;
}
