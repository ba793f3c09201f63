import { randomUUID } from 'node:crypto';
import { columns, type Db } from '../../src/db/rows.ts';
import { turns, type TurnRow } from '../../src/db/tables/turns.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';

/** The first turn of a call, with the user's words, and changes. Answers its uuid. */
export async function insertTurn(
  { db, organizationId, clock }: Pick<ServiceContext, 'organizationId' | 'clock'> & { db: Db },
  callId: number,
  userText: string,
  changes: Partial<Pick<TurnRow, 'branch' | 'turnIndex' | 'lines' | 'events' | 'checkpoint'>> = {},
): Promise<string> {
  const uuid = randomUUID();
  const createdAt = clock.now();
  const line = {
    speaker: 'user' as const,
    text: userText,
    at: createdAt.toISOString(),
    nodeId: 'start',
    kind: 'utterance' as const,
  };
  await db.getRepository(turns).insert(
    columns<TurnRow>({
      uuid,
      organizationId,
      callId,
      branch: 0,
      turnIndex: 0,
      userText,
      userAt: createdAt,
      replyText: null,
      replyAt: null,
      lines: [line],
      toolRounds: null,
      events: [],
      usage: {},
      checkpoint: { ...initialCheckpoint, turnIndex: 0 },
      createdAt,
      ...changes,
    }),
  );
  return uuid;
}
