import { InvariantError } from '../errors.ts';
import { planNode, type Plan, type PlanNode } from '../graph/plan.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * One turn of a conversation as a pure reducer. A turn is steps: `nextStep` says what to ask of the model at
 * which node, `recordStep` takes the answer. When the model chose an edge the next step begins at its target;
 * otherwise `finishTurn` gives the checkpoint to commit and what is to be done after the commit. A turn that
 * fails is thrown away: nothing was changed.
 */

/** The most moves of one turn; after them the model is no longer offered a way out. */
export const maxMovesPerTurn = 10;

/** The most rounds of tools in one turn; after them the model is no longer offered any. */
export const maxToolRoundsPerTurn = 5;

/**
 * What a turn begins with. `opening` enters the start node. `utterance` and `keypad` bring a line of the
 * user. The others are of spoken calls: after `silence` the model looks whether somebody is there, in
 * `closing` a last line is said, both stay at the node; `again` asks the model once more when a provider has
 * failed.
 */
export type TurnStart =
  | { kind: 'opening' }
  | { kind: 'utterance' }
  | { kind: 'keypad' }
  | { kind: 'again' }
  | { kind: 'silence' }
  | { kind: 'closing' };

/** Why the node is asked now. */
export type StepEntry = TurnStart | { kind: 'edge'; edgeId: string } | { kind: 'tools' };

export interface Turn {
  base: Checkpoint;
  start: TurnStart;
  turnIndex: number;
  nodeId: string;
  visitIndex: number;
  nodesVisited: string[];
  moves: Move[];
  /** Lines of this turn so far. */
  lineCount: number;
  /** Rounds of tools so far. */
  toolRounds: number;
  /** The last step used tools at its node: it is asked again with their results. */
  isAfterTools: boolean;
  /** A tool ended the conversation. */
  isEndedByTool: boolean;
  isOver: boolean;
}

/** One followed edge. */
interface Move {
  edgeId: string;
  from: { nodeId: string; visitIndex: number };
  to: { nodeId: string; visitIndex: number };
  /** Lines of the turn when it was followed. */
  atLine: number;
}

export interface Step {
  branch: number;
  turnIndex: number;
  visitIndex: number;
  nodeId: string;
  entry: StepEntry;
  mayMove: boolean;
  mayUseTools: boolean;
}

/**
 * Something to read out of the transcript up to `throughLine` lines of turn `throughTurnIndex` (contract
 * 8.2).
 */
export interface ExtractionRequest {
  nodeId: string;
  visitIndex: number;
  point: ExtractionPoint;
  throughTurnIndex: number;
  throughLine: number;
  branch: number;
}

export type ExtractionPoint = 'entry' | 'leave' | 'end';

export interface TurnResult {
  /** To be committed with the turn. */
  checkpoint: Checkpoint;
  /** To be started once the commit is done. */
  extractions: ExtractionRequest[];
  /** The conversation is over: an End Call node spoke, or a tool ended it (contract 8.4). */
  end: { reason: 'user_qualified' | 'end_call_tool' } | null;
}

/**
 * Begins the next turn: the opening enters the start node, whatever else happens goes to the node the
 * conversation is at.
 */
export function beginTurn({
  plan,
  checkpoint,
  start,
}: {
  plan: Plan;
  checkpoint: Checkpoint;
  start: TurnStart;
}): Turn {
  const isFirst = checkpoint.nodeId === null;
  // A call may end before anything was said: its last line is then its first.
  if (start.kind !== 'closing' && (start.kind === 'opening') !== isFirst)
    throw new InvariantError(`A turn cannot begin with ${start.kind} here`);
  const node = existingNode(plan, checkpoint.nodeId ?? plan.startNodeId);
  return {
    base: checkpoint,
    start,
    turnIndex: checkpoint.turnIndex + 1,
    nodeId: node.id,
    visitIndex: isFirst ? checkpoint.visitIndex + 1 : checkpoint.visitIndex,
    nodesVisited: visited(checkpoint.nodesVisited, node),
    moves: [],
    lineCount: bringsLine(start) ? 1 : 0,
    toolRounds: 0,
    isAfterTools: false,
    isEndedByTool: false,
    isOver: false,
  };
}

/** What to ask next. */
export function nextStep(plan: Plan, turn: Turn): Step {
  const node = existingNode(plan, turn.nodeId);
  const asksModel = turn.start.kind !== 'silence' && turn.start.kind !== 'closing';
  return {
    branch: turn.base.branch,
    turnIndex: turn.turnIndex,
    visitIndex: turn.visitIndex,
    nodeId: turn.nodeId,
    entry: entryOf(turn),
    mayMove:
      asksModel && node.kind !== 'endCall' && node.edges.length > 0 && turn.moves.length < maxMovesPerTurn,
    mayUseTools: asksModel && node.kind !== 'endCall' && turn.toolRounds < maxToolRoundsPerTurn,
  };
}

/** Whether the turn begins with a line of the user. */
export function bringsLine({ kind }: TurnStart): boolean {
  return kind === 'utterance' || kind === 'keypad';
}

function entryOf({ start, moves, isAfterTools }: Turn): StepEntry {
  const lastMove = moves.at(-1);
  if (isAfterTools) return { kind: 'tools' };
  return lastMove === undefined ? start : { kind: 'edge', edgeId: lastMove.edgeId };
}

export interface StepOutcome {
  addedLines: number;
  /** Null when the conversation stays at the node. */
  chosenEdge: string | null;
  /** The model used tools; `ended` when one of them ended the conversation. Absent = it used none. */
  tools?: 'used' | 'ended';
}

/**
 * Takes a step's answer. The turn is over when the conversation stays at the node and no tool was used, or
 * when a tool ended it.
 */
export function recordStep(plan: Plan, turn: Turn, { addedLines, chosenEdge, tools }: StepOutcome): Turn {
  const spoken = {
    ...turn,
    lineCount: turn.lineCount + addedLines,
    isAfterTools: false,
    toolRounds: turn.toolRounds + (tools === undefined ? 0 : 1),
  };
  if (tools === 'ended') return { ...spoken, isEndedByTool: true, isOver: true };
  if (chosenEdge !== null) return followEdge(plan, spoken, chosenEdge);
  return tools === 'used' ? { ...spoken, isAfterTools: true } : { ...spoken, isOver: true };
}

/**
 * Moves to the edge's target. Throws InvariantError for an edge that does not leave this node, or that was
 * not to be offered.
 */
function followEdge(plan: Plan, turn: Turn, edgeId: string): Turn {
  const edge = existingNode(plan, turn.nodeId).edges.find((each) => each.id === edgeId);
  if (edge === undefined || !nextStep(plan, turn).mayMove)
    throw new InvariantError(`The edge ${edgeId} cannot be followed from node ${turn.nodeId}`);
  const target = existingNode(plan, edge.target);
  const to = { nodeId: target.id, visitIndex: turn.visitIndex + 1 };
  const move = {
    edgeId,
    from: { nodeId: turn.nodeId, visitIndex: turn.visitIndex },
    to,
    atLine: turn.lineCount,
  };
  return { ...turn, ...to, nodesVisited: visited(turn.nodesVisited, target), moves: [...turn.moves, move] };
}

/** Closes a turn whose last step stayed at its node. */
export function finishTurn(plan: Plan, turn: Turn): TurnResult {
  if (!turn.isOver) throw new InvariantError('A turn is finished only after a step that stayed at its node');
  const { base, nodeId, visitIndex, turnIndex, nodesVisited } = turn;
  const checkpoint = { ...base, nodeId, visitIndex, turnIndex, nodesVisited, revision: base.revision + 1 };
  const isEnd = existingNode(plan, nodeId).kind === 'endCall';
  const last = isEnd ? [request({ turn, place: turn, point: 'end', throughLine: turn.lineCount })] : [];
  return {
    checkpoint,
    extractions: [...moveExtractions(turn), ...last].filter((each) => isExtracted(plan, each)),
    end: endOf(turn, isEnd),
  };
}

function endOf({ isEndedByTool }: Turn, isEndNode: boolean): TurnResult['end'] {
  if (isEndedByTool) return { reason: 'end_call_tool' };
  return isEndNode ? { reason: 'user_qualified' } : null;
}

/** Entry of the start node is left out: nothing has been said yet. */
function moveExtractions(turn: Turn): ExtractionRequest[] {
  return turn.moves.flatMap((move) => [
    request({ turn, place: move.from, point: 'leave', throughLine: move.atLine }),
    request({ turn, place: move.to, point: 'entry', throughLine: move.atLine }),
  ]);
}

function request({
  turn,
  place,
  point,
  throughLine,
}: {
  turn: Turn;
  place: { nodeId: string; visitIndex: number };
  point: ExtractionPoint;
  throughLine: number;
}): ExtractionRequest {
  const { nodeId, visitIndex } = place;
  return {
    nodeId,
    visitIndex,
    point,
    throughTurnIndex: turn.turnIndex,
    throughLine,
    branch: turn.base.branch,
  };
}

/** An End Call node is read once, at the end, when its goodbye has been said (contract 8.2). */
function isExtracted(plan: Plan, { nodeId, point }: ExtractionRequest): boolean {
  const node = existingNode(plan, nodeId);
  return node.extraction && !(node.kind === 'endCall' && point === 'entry');
}

function visited(names: readonly string[], node: PlanNode): string[] {
  return names.includes(node.name) ? [...names] : [...names, node.name];
}

function existingNode(plan: Plan, nodeId: string): PlanNode {
  const node = planNode(plan, nodeId);
  if (node === null) throw new InvariantError(`The plan has no node ${nodeId}`);
  return node;
}
