import type { EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { turns, type TurnRow } from '../../../db/tables/turns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isLive, rewindTo, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { ownObject } from '../../../domain/graph/definition.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { lockSession } from './commit-turn.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps, StoredCheckpoint } from './deps.ts';

export interface RewindSessionInput extends CallRef {
  /** The checkpoint before the rewind. */
  checkpoint: Checkpoint;
  /** The turn that becomes the last one; null = before the first. */
  cursorTurnUuid: string | null;
  /** Failed turns of the call so far. */
  failures: number;
}

/** `lineCount` is the number of lines of the new last turn. */
export type Rewound =
  | { kind: 'rewound'; checkpoint: Checkpoint; lineCount: number }
  | { kind: 'unknown_turn' };

/**
 * Rewinds to an earlier turn, on a new branch (contract 6.10). Turns stay in MySQL; the checkpoint's lineage
 * discards the later ones. A repeated call after the commit returns the same answer. A turn that a rewind
 * discarded is unknown.
 */
export async function rewindSession({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: RewindSessionInput;
}): Promise<Rewound> {
  return await inTransaction(deps.db, async (db) => {
    const session = await lockSession(db, input);
    const target = input.cursorTurnUuid === null ? null : await findTurn(db, input, input.cursorTurnUuid);
    if (input.cursorTurnUuid !== null && target === null) return { kind: 'unknown_turn' };
    const checkpoint = rewindTo({ current: input.checkpoint, target: target?.checkpoint ?? null });
    if (session.revision < checkpoint.revision) await store({ db, deps, input, checkpoint });
    return { kind: 'rewound', checkpoint, lineCount: target?.lines.length ?? 0 };
  });
}

async function findTurn(
  db: EntityManager,
  { callId, organizationId, checkpoint }: RewindSessionInput,
  uuid: string,
): Promise<TurnRow | null> {
  const turn = isUuid(uuid) ? await findRow(db, turns, { uuid, callId, organizationId }) : null;
  return turn !== null && isLive(checkpoint, { branch: turn.branch, throughTurnIndex: turn.turnIndex })
    ? turn
    : null;
}

async function store({
  db,
  deps,
  input,
  checkpoint,
}: {
  db: EntityManager;
  deps: ConversationDeps;
  input: RewindSessionInput;
  checkpoint: Checkpoint;
}): Promise<void> {
  const { callId, organizationId, cursorTurnUuid, failures } = input;
  const stored: StoredCheckpoint = { ...checkpoint, failures };
  const { revision, branch } = checkpoint;
  await updateRows(db, textSessions, {
    where: { callId, organizationId },
    change: {
      revision,
      branch,
      status: 'rewound',
      cursorTurnUuid,
      checkpoint: stored,
      updatedAt: deps.clock.now(),
    },
  });

  const where = { id: callId, organizationId };
  const call = await findRow(db, calls, where);
  if (call === null) throw new NotFoundError('The call does not exist');
  const { extracted_variables: _, nodes_visited: __, ...base } = call.gatheredContext;
  const gathered = gatheredContext({
    base,
    extracted: ownObject(call.gatheredContext, 'extracted_variables'),
    nodesVisited: checkpoint.nodesVisited,
    outcome: null,
  });
  await updateRows(db, calls, {
    where,
    change: { transcriptAvailable: checkpoint.turnIndex >= 0, gatheredContext: gathered },
  });
}
