import type { EntityManager } from 'typeorm';
import { type Db, findRow, insertRow, updateRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { textSessions, type TextSessionRow } from '../../../db/tables/text-sessions.ts';
import { turns, type TurnRow } from '../../../db/tables/turns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import type { Line } from '../../../domain/call/line.ts';
import type { ToolRound } from '../../../domain/call/tool-round.ts';
import { ownObject } from '../../../domain/graph/definition.ts';
import { InvariantError, NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import type { CallRef } from '../../kernel/index.ts';
import { failuresOf, type ConversationDeps, type StoredCheckpoint } from './deps.ts';
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
  toolRounds?: ToolRound[] | undefined;
  steps: (LoggedStep & { usage: ModelUsage | null })[];
  /** The conversation ended with this turn. */
  isOver: boolean;
  /** The turn of a text call leaves the call's row as it is: it enters no new node, and the call goes on. */
  isPlain?: boolean;
}

/** What became of a turn: it is written now, an earlier attempt wrote it with `lines`, or the call has ended. */
export type Committed =
  | { kind: 'written'; turn: TurnRow }
  | { kind: 'known'; lines: Line[] }
  | { kind: 'late' };

/**
 * Writes a turn and the changes that follow from it, once, and not after the call has ended. For a text call
 * it locks the session's row, whose revision says whether the turn is already written. A spoken call has no
 * session: the turn's own row says it. Throws PreconditionError for a turn that was recorded as failed meanwhile.
 */
export async function commitTurn({
  deps,
  input,
}: {
  deps: Pick<ConversationDeps, 'db' | 'clock' | 'ids' | 'model'>;
  input: CommitTurnInput;
}): Promise<Committed> {
  const turnUuid = deps.ids.uuid();
  return await inTransaction(deps.db, async (db) => {
    if (
      input.isPlain === true &&
      (await changeSession(db, { deps, input, turnUuid }, expectedSession(input)))
    ) {
      return { kind: 'written', turn: await insertTurn({ db, deps, input, turnUuid }) };
    }
    const session = await lockSessionIfAny(db, input);
    if (session === null) await lockSpokenCall(db, input);
    // guarantee: turn-committed-once
    if (session === null || session.revision >= input.checkpoint.revision) {
      const written = await committedLines(db, input, input.checkpoint);
      if (written !== null) return { kind: 'known', lines: written };
      if (session !== null) return { kind: 'late' };
    }
    // guarantee: failed-turn-is-not-committed-later
    if (session !== null && failuresOf(session) > input.failures)
      throw new PreconditionError('The turn was recorded as failed');
    if (!(await updateCall(db, input))) return { kind: 'late' };
    const turn = await insertTurn({ db, deps, input, turnUuid });
    if (session !== null) await changeSession(db, { deps, input, turnUuid });
    return { kind: 'written', turn };
  });
}

interface Committing {
  deps: Parameters<typeof commitTurn>[0]['deps'];
  input: CommitTurnInput;
  turnUuid: string;
}

/** Moves the text session past the turn; false if it is not in the state `expected`. */
async function changeSession(
  db: EntityManager,
  { deps, input, turnUuid }: Committing,
  expected: Pick<TextSessionRow, 'revision' | 'status'> | object = {},
): Promise<boolean> {
  const { callId, organizationId, failures, isOver } = input;
  const checkpoint: StoredCheckpoint = { ...input.checkpoint, failures };
  const changed = await updateRows(db, textSessions, {
    where: { callId, organizationId, ...expected },
    change: {
      revision: checkpoint.revision,
      branch: checkpoint.branch,
      status: isOver ? 'completed' : 'idle',
      cursorTurnUuid: turnUuid,
      checkpoint,
      updatedAt: deps.clock.now(),
    },
  });
  return changed > 0;
}

/** The session before a plain turn: no turn was written, failed, or ended the call since. */
const expectedSession = ({ checkpoint }: CommitTurnInput) => ({
  revision: checkpoint.revision - 1,
  status: 'idle' as const,
});

/** The lines of a turn; null if it is not written. */
export async function committedLines(
  db: Db,
  { callId, organizationId }: CallRef,
  { branch, turnIndex }: Pick<Checkpoint, 'branch' | 'turnIndex'>,
): Promise<Line[] | null> {
  const turn = await findRow(db, turns, { callId, organizationId, branch, turnIndex }, { select: ['lines'] });
  return turn?.lines ?? null;
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

/** Locks the call's row, so that two workers do not write a turn at once. */
async function lockSpokenCall(db: EntityManager, { callId: id, organizationId }: CallRef): Promise<void> {
  const call = await findRow(db, calls, { id, organizationId }, { isLocked: true });
  if (call?.channel === 'text') throw new InvariantError('The call has no text session');
}

async function insertTurn({
  db,
  deps,
  input,
  turnUuid,
}: Committing & { db: EntityManager }): Promise<TurnRow> {
  const { callId, organizationId, checkpoint, lines, steps, from } = input;
  const said = lines.find(({ speaker }) => speaker === 'user');
  const replies = lines.filter(({ speaker }) => speaker === 'assistant');
  return await insertRow(db, turns, {
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
