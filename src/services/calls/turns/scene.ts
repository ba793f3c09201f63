import { LessThanOrEqual } from 'typeorm';
import { type Db, findRow, findRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { turns, type TurnRow } from '../../../db/tables/turns.ts';
import { readAgentSettings, type AgentSettings } from '../../../domain/agents/settings.ts';
import { isLive, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import type { Line } from '../../../domain/call/line.ts';
import { exchangesOf, type Exchange } from '../../../domain/call/tool-round.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import type { Definition } from '../../../domain/graph/definition.ts';
import { nodeOf, type ConversationNode } from '../../../domain/graph/model.ts';
import { promptVariables, type Rendering } from '../../../domain/template/render.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';

/** What a reply or an extraction looks at: the call, its pinned version, and what has been said. */
export interface Scene {
  call: CallRow & { startedAt: Date };
  definition: Definition;
  /** Of the pinned version. */
  settings: AgentSettings;
  /** Committed turns that count, in order. */
  turns: TurnRow[];
  /** Committed lines, in the order spoken. */
  lines: Line[];
  /** The same with the tools that were used, in the order in which it happened. */
  exchanges: Exchange[];
  /**
   * The person can say at any node that they do not want to be called again: in calls of campaigns, unless
   * those do without.
   */
  offersOptOut: boolean;
}

export interface SceneInput extends CallRef {
  versionId: number;
}

/** Loads a call's scene up to a turn. Throws NotFoundError for a call outside the organization. */
export async function loadScene({
  deps,
  input,
  through,
}: {
  deps: ConversationDeps;
  input: SceneInput;
  through: { branch: number; turnIndex: number };
}): Promise<Scene> {
  const { callId, organizationId, versionId } = input;
  const [call, version, said] = await Promise.all([
    findRow(deps.db.manager, calls, { id: callId, organizationId }),
    // guarantee: publishing-changes-next-call
    findRow(deps.db.manager, agentVersions, { id: versionId, organizationId }),
    loadTurns({ deps, input, through }),
  ]);
  if (call === null || version === null) throw new NotFoundError('Call or version does not exist');
  if (call.startedAt === null) throw new InvariantError('The call was not admitted');
  return {
    call: { ...call, startedAt: call.startedAt },
    definition: version.definition,
    settings: readAgentSettings(version.settings),
    turns: said,
    lines: said.flatMap((turn) => turn.lines),
    exchanges: said.flatMap((turn) => exchangesOf(turn.lines, turn.toolRounds ?? [])),
    offersOptOut: await offersOptOut(deps, call),
  };
}

async function offersOptOut(
  { db }: Pick<ConversationDeps, 'db'>,
  { campaignId, organizationId }: Pick<CallRow, 'campaignId' | 'organizationId'>,
): Promise<boolean> {
  const campaign =
    campaignId === null ? null : await findRow(db.manager, campaigns, { id: campaignId, organizationId });
  return campaign !== null && campaign.settings.rules?.opt_out_tool !== false;
}

/** The turns that count, in order. */
export async function loadTurns({
  deps,
  input,
  through,
}: {
  deps: { db: Db };
  input: CallRef;
  through: { branch: number; turnIndex: number };
}): Promise<TurnRow[]> {
  if (through.turnIndex < 0) return [];
  const { callId, organizationId } = input;
  const where = {
    callId,
    organizationId,
    branch: LessThanOrEqual(through.branch),
    turnIndex: LessThanOrEqual(through.turnIndex),
  };
  return liveTurns(await findRows(deps.db, turns, where, { order: { turnIndex: 'ASC', branch: 'ASC' } }));
}

/**
 * Every turn ever committed, split by what rewinds have left: turns that count in the order spoken, discarded
 * ones oldest first.
 */
export async function loadAllTurns({
  deps,
  input,
  checkpoint,
}: {
  deps: { db: Db };
  input: CallRef;
  checkpoint: Checkpoint;
}): Promise<{ live: TurnRow[]; discarded: TurnRow[] }> {
  const { callId, organizationId } = input;
  const rows = await findRows(
    deps.db,
    turns,
    { callId, organizationId },
    { order: { branch: 'ASC', turnIndex: 'ASC' } },
  );
  const counts = ({ branch, turnIndex }: TurnRow) =>
    isLive(checkpoint, { branch, throughTurnIndex: turnIndex });
  // What was committed after the checkpoint was read is neither.
  const live = rows.filter((row) => counts(row) && row.turnIndex <= checkpoint.turnIndex);
  return { live, discarded: rows.filter((row) => !counts(row) && row.branch < checkpoint.branch) };
}

/**
 * A rewind starts a higher branch at the first turn it replaces, and goes on without a gap: of each index the
 * highest branch counts.
 */
function liveTurns(rows: readonly TurnRow[]): TurnRow[] {
  return [...new Map(rows.map((row) => [row.turnIndex, row])).values()];
}

/** A node of the pinned version. */
export function nodeIn({ definition }: Scene, nodeId: string): ConversationNode {
  const node = nodeOf(definition, nodeId);
  if (node === null) throw new InvariantError('The pinned version has no such node');
  return node;
}

/** One moment and one context for every text of a call (contract 7.3, 7.4). */
export function renderingOf({ call }: Scene): Rendering {
  return { variables: promptVariables(call.initialContext), now: call.startedAt };
}
