import { InvariantError } from '../errors.ts';
import { planNode, type Plan, type PlanNode } from '../graph/plan.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * One turn of a conversation as a pure reducer. A turn consists of steps: `nextStep` returns what to ask the
 * model at which node, `recordStep` takes the answer. When the model chose an edge, the next step begins at
 * its target; otherwise `finishTurn` returns the checkpoint to commit and the extractions to start after the
 * commit. A failed turn is discarded and changes nothing.
 */

/** Maximum number of moves per turn; after them the model is offered no edges. */
export const maxMovesPerTurn = 10;

/** Maximum number of tool rounds per turn; after them the model is offered no tools. */
export const maxToolRoundsPerTurn = 5;

/**
 * What a turn begins with. `opening` enters the start node. `utterance` and `keypad` bring a line of the
 * user. The others are for spoken calls: after `silence` the agent asks whether the caller is still there,
 * and `closing` speaks a last line; both stay at the node. `again` asks the model again after a provider has
 * failed. `intervention` only listens, or says a supervisor's line; `goto` enters a node that a supervisor chose.
 */
export type TurnStart =
  | { kind: 'opening' }
  | { kind: 'utterance' }
  | { kind: 'keypad' }
  | { kind: 'again' }
  | { kind: 'silence' }
  | { kind: 'closing' }
  | { kind: 'intervention' }
  | { kind: 'goto'; nodeId: string };

/** What led to this step. */
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
  /** Number of tool rounds so far. */
  toolRounds: number;
  /** The last step used tools: the model is asked again at its node, with their results. */
  isAfterTools: boolean;
  /** A tool ended the conversation. */
  isEndedByTool: boolean;
  isOver: boolean;
}

/** One followed edge, or a supervisor's move. */
interface Move {
  /** Null when a supervisor chose the node. */
  edgeId: string | null;
  from: { nodeId: string; visitIndex: number };
  to: { nodeId: string; visitIndex: number };
  /** Number of the turn's lines when the edge was followed. */
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
 * One extraction from the transcript, up to `throughLine` lines of turn `throughTurnIndex` (contract 8.2).
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
 * Begins the next turn: the opening enters the start node, a supervisor's move the chosen one, any other turn begins
 * at the current node.
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
  // A call may end before its opening: its closing line is then its first.
  if (start.kind !== 'closing' && (start.kind === 'opening') !== isFirst)
    throw new InvariantError(`A turn cannot begin with ${start.kind} here`);
  const node = existingNode(plan, checkpoint.nodeId ?? plan.startNodeId);
  const turn: Turn = {
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
  return start.kind === 'goto' ? enter(turn, { edgeId: null, node: existingNode(plan, start.nodeId) }) : turn;
}

/** The next step to run. */
export function nextStep(plan: Plan, turn: Turn): Step {
  const node = existingNode(plan, turn.nodeId);
  const asksModel = !silentStarts.has(turn.start.kind);
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

/** After these the model decides nothing. */
const silentStarts: ReadonlySet<TurnStart['kind']> = new Set(['silence', 'closing', 'intervention']);

/** Whether the turn begins with a line of the user. */
export function bringsLine({ kind }: TurnStart): boolean {
  return kind === 'utterance' || kind === 'keypad';
}

function entryOf({ start, moves, isAfterTools }: Turn): StepEntry {
  const lastMove = moves.at(-1);
  if (isAfterTools) return { kind: 'tools' };
  return lastMove === undefined || lastMove.edgeId === null
    ? start
    : { kind: 'edge', edgeId: lastMove.edgeId };
}

export interface StepOutcome {
  addedLines: number;
  /** Null when the conversation stays at the node. */
  chosenEdge: string | null;
  /** The model used tools; `ended` when one of them ended the conversation. Absent = it used none. */
  tools?: 'used' | 'ended';
}

/**
 * Takes a step's answer. The turn is over when the conversation stays at the node without tools, or when a
 * tool ended it.
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
 * Moves to the edge's target. Throws InvariantError for an edge that does not leave this node or was not
 * offered.
 */
function followEdge(plan: Plan, turn: Turn, edgeId: string): Turn {
  const edge = existingNode(plan, turn.nodeId).edges.find((each) => each.id === edgeId);
  if (edge === undefined || !nextStep(plan, turn).mayMove)
    throw new InvariantError(`The edge ${edgeId} cannot be followed from node ${turn.nodeId}`);
  return enter(turn, { edgeId, node: existingNode(plan, edge.target) });
}

function enter(turn: Turn, { edgeId, node }: { edgeId: string | null; node: PlanNode }): Turn {
  const to = { nodeId: node.id, visitIndex: turn.visitIndex + 1 };
  const move = {
    edgeId,
    from: { nodeId: turn.nodeId, visitIndex: turn.visitIndex },
    to,
    atLine: turn.lineCount,
  };
  return { ...turn, ...to, nodesVisited: visited(turn.nodesVisited, node), moves: [...turn.moves, move] };
}

/** Closes a turn whose last step stayed at its node. */
export function finishTurn(plan: Plan, turn: Turn): TurnResult {
  if (!turn.isOver) throw new InvariantError('A turn can only finish after a step that stayed at its node');
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

/** The entry into the start node has no extraction, because no line exists yet. */
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

/** An End Call node has one extraction, at the end, after its goodbye (contract 8.2). */
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
