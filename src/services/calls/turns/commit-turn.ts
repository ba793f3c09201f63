import type { EntityManager } from 'typeorm';
import { countRows, findRow, insertRow, updateRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { textSessions, type TextSessionRow } from '../../../db/tables/text-sessions.ts';
import { turns } from '../../../db/tables/turns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import type { Line } from '../../../domain/call/line.ts';
import type { ToolRound } from '../../../domain/call/tool-round.ts';
import { ownObject } from '../../../domain/graph/definition.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps, StoredCheckpoint } from './deps.ts';
import { requireKept } from '../records/require-kept.ts';
import { feedbackEvents, type LoggedStep } from './feedback-events.ts';
import { soundUsage, tokensOf, type ModelUsage } from './usage.ts';

export interface CommitTurnInput extends CallRef {
  /** The checkpoint after the turn. */
  checkpoint: Checkpoint;
  /** Failed turns of the call so far. */
  failures: number;
  /** The node before the turn; null for the opening. */
  from: { nodeId: string; nodeName: string; visitIndex: number } | null;
  lines: Line[];
  /** Tools that the turn used; absent = none. */
  toolRounds?: ToolRound[];
  steps: (LoggedStep & { usage: ModelUsage | null })[];
  /** The conversation ended with this turn. */
  isOver: boolean;
}

/**
 * Writes a turn and the changes that follow from it, once, and not after the call has ended. For a text call
 * it locks the session's row, whose revision says whether the turn is already written. A spoken call has no
 * session: the turn's own row says it.
 */
export async function commitTurn({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: CommitTurnInput;
}): Promise<void> {
  const { callId, organizationId } = input;
  await inTransaction(deps.db, async (db) => {
    const session = await lockSessionIfAny(db, input);
    // guarantee: turn-committed-once
    if (session === null ? await isSpokenTurnThere(db, input) : session.revision >= input.checkpoint.revision)
      return;
    if (!(await updateCall(db, input))) return;
    const turnUuid = deps.ids.uuid();
    await insertTurn({ db, deps, input, turnUuid });
    const checkpoint: StoredCheckpoint = { ...input.checkpoint, failures: input.failures };
    const change = {
      revision: checkpoint.revision,
      branch: checkpoint.branch,
      status: input.isOver ? ('completed' as const) : ('idle' as const),
      cursorTurnUuid: turnUuid,
      checkpoint,
      updatedAt: deps.clock.now(),
    };
    if (session !== null) await updateRows(db, textSessions, { where: { callId, organizationId }, change });
  });
}

/** The text session's row, locked until the transaction ends; null for a spoken call. */
async function lockSessionIfAny(
  db: EntityManager,
  { callId, organizationId }: CallRef,
): Promise<TextSessionRow | null> {
  return await findRow(db, textSessions, { callId, organizationId }, { isLocked: true });
}

/** The text session's row, locked until the transaction ends. Throws InvariantError for a spoken call. */
export async function lockSession(db: EntityManager, ref: CallRef): Promise<TextSessionRow> {
  const session = await lockSessionIfAny(db, ref);
  if (session === null) throw new InvariantError('The call has no text session');
  return session;
}

/** Checks under the lock of the call's row, so that two workers do not write the turn at once. */
async function isSpokenTurnThere(
  db: EntityManager,
  { callId, organizationId, checkpoint: { branch, turnIndex } }: CommitTurnInput,
): Promise<boolean> {
  const call = await findRow(db, calls, { id: callId, organizationId }, { isLocked: true });
  if (call?.channel === 'text') throw new InvariantError('The call has no text session');
  return (await countRows(db, turns, { callId, organizationId, branch, turnIndex })) > 0;
}

async function insertTurn({
  db,
  deps,
  input,
  turnUuid,
}: {
  db: EntityManager;
  deps: ConversationDeps;
  input: CommitTurnInput;
  turnUuid: string;
}): Promise<void> {
  const { callId, organizationId, checkpoint, lines, steps, from } = input;
  const said = lines.find(({ speaker }) => speaker === 'user');
  const replies = lines.filter(({ speaker }) => speaker === 'assistant');
  await insertRow(db, turns, {
    uuid: turnUuid,
    organizationId,
    callId,
    branch: checkpoint.branch,
    turnIndex: checkpoint.turnIndex,
    userText: said?.text ?? null,
    userAt: dateOf(said),
    replyText: replies.length === 0 ? null : replies.map(({ text }) => text).join('\n'),
    replyAt: dateOf(replies.at(-1)),
    lines,
    toolRounds: input.toolRounds ?? null,
    events: feedbackEvents({ turnIndex: checkpoint.turnIndex, lines, steps, from, model: deps.model }),
    usage: { llm: tokensOf(steps.map(({ usage }) => usage)), ...soundUsage(steps) },
    checkpoint,
    createdAt: deps.clock.now(),
  });
}

/** False if the call has ended: its record is complete. Checked under the lock that its end takes, too. */
async function updateCall(
  db: EntityManager,
  { callId: id, organizationId, checkpoint, isOver }: CommitTurnInput,
): Promise<boolean> {
  const call = await findRow(db, calls, { id, organizationId }, { isLocked: true });
  if (call === null) throw new NotFoundError('The call does not exist');
  requireKept(call);
  // guarantee: late-turn-reopens-no-call
  if (call.state === 'ended' || call.state === 'refused') return false;
  const { extracted_variables: _, nodes_visited: __, ...base } = call.gatheredContext;
  const gathered = gatheredContext({
    base,
    extracted: ownObject(call.gatheredContext, 'extracted_variables'),
    nodesVisited: checkpoint.nodesVisited,
    outcome: null,
  });
  await updateRows(db, calls, {
    where: { id, organizationId },
    change: { state: isOver ? 'ending' : 'talking', transcriptAvailable: true, gatheredContext: gathered },
  });
  return true;
}

function dateOf(line: Line | undefined): Date | null {
  return line === undefined ? null : new Date(line.at);
}
