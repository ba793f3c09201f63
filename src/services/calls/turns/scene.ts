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
import { promptVariables, type Rendering } from '../../../domain/rendering/render.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';

/** The basis of a reply or an extraction: the call, its pinned version, and the conversation so far. */
export interface Scene {
  call: CallRow & { startedAt: Date };
  definition: Definition;
  /** Settings of the pinned version. */
  settings: AgentSettings;
  /** Committed live turns, in order. */
  turns: TurnRow[];
  /** Committed lines, in the order spoken. */
  lines: Line[];
  /** Committed lines and tool rounds, in the order in which they happened. */
  exchanges: Exchange[];
  /** Every node offers the opt-out tool: in calls of campaigns that have not switched it off. */
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
    // guarantee: publishing-leaves-live-calls-alone
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

/** The live turns up to `through`, in order. */
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

/** Every turn that was written, by branch and index, which is the order of their commits. */
export async function loadAllTurns(
  deps: { db: Db },
  { callId, organizationId }: CallRef,
): Promise<TurnRow[]> {
  const order = { branch: 'ASC', turnIndex: 'ASC' } as const;
  return await findRows(deps.db, turns, { callId, organizationId }, { order });
}

/** Live turns in the order spoken, and turns that rewinds discarded, oldest first. */
export function sortTurns(
  rows: readonly TurnRow[],
  checkpoint: Checkpoint,
): { live: TurnRow[]; discarded: TurnRow[] } {
  const counts = ({ branch, turnIndex }: TurnRow) =>
    isLive(checkpoint, { branch, throughTurnIndex: turnIndex });
  // Turns committed after the checkpoint was read are left out.
  const live = rows.filter((row) => counts(row) && row.turnIndex <= checkpoint.turnIndex);
  return { live, discarded: rows.filter((row) => !counts(row) && row.branch < checkpoint.branch) };
}

/**
 * A rewind starts a higher branch at the first turn that it replaces, without a gap, so the highest branch of
 * each index is live.
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

/** The same timestamp and variables for every text of a call (contract 7.3, 7.4). */
export function renderingOf({ call }: Scene): Rendering {
  return { variables: promptVariables(call.initialContext), now: call.startedAt };
}
