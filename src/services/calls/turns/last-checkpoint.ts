import type { EntityManager } from 'typeorm';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { turns } from '../../../db/tables/turns.ts';
import { initialCheckpoint, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import type { CallRef } from '../../kernel/index.ts';

/**
 * Where a conversation stands: a text session says so, of a spoken call the last turn that was committed;
 * before the first turn, the beginning.
 */
export async function lastCheckpoint(
  db: Pick<EntityManager, 'getRepository'>,
  { callId, organizationId }: CallRef,
): Promise<Checkpoint> {
  const session = await db.getRepository(textSessions).findOneBy({ callId, organizationId });
  if (session !== null) return session.checkpoint ?? initialCheckpoint;
  const last = await db.getRepository(turns).findOne({
    select: { id: true, checkpoint: true },
    where: { callId, organizationId },
    order: { branch: 'DESC', turnIndex: 'DESC' },
  });
  return last?.checkpoint ?? initialCheckpoint;
}
