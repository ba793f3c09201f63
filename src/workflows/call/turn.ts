import { CancellationScope } from '@temporalio/workflow';
import type { CallActivities, CommitTurnInput, StepAnswer } from '../../activities/call.ts';
import type { ToolCallRecord, ToolRound } from '../../domain/call/tool-round.ts';
import type { Plan } from '../../domain/graph/plan.ts';
import {
  beginTurn,
  finishTurn,
  nextStep,
  recordStep,
  type Step,
  type Turn,
  type TurnResult,
  type TurnStart,
} from '../../domain/call/turn.ts';
import { activitiesOf } from '../proxies.ts';
import { nodeName, turnName } from './details.ts';
import { rootOf, turnFailure } from './failures.ts';
import type { CallInput } from './messages.ts';
import type { Checkpoint, Line } from './state.ts';
import { stepTools, useTools, type ToolUse, type Transfer } from './tools.ts';

export interface TurnRequest {
  input: CallInput;
  checkpoint: Checkpoint;
  start: TurnStart;
  /** The user's line; null in the opening. */
  utterance: Line | null;
  /** Failed turns of this call so far. */
  failures: number;
}

/** A completed turn. */
export interface TakenTurn {
  result: TurnResult;
  lines: Line[];
  /** The model's own reason, when a tool ended the conversation. */
  endReason: string | null;
}

/** A committed turn, or one that failed and changed nothing. */
export type TurnOutcome = ({ kind: 'committed' } & TakenTurn) | { kind: 'failed'; error: Error };

/**
 * Runs one step: the model in text, a media host in speech. `lines` and `rounds` are those of the turn so
 * far.
 */
export type AskStep = (
  step: Step,
  lines: Line[],
  rounds: ToolRound[],
  taken: TakenSteps,
) => Promise<AskedStep>;

/** The turn before a step. */
export interface TakenSteps {
  turn: Turn;
  steps: CommitTurnInput['steps'];
}

/** What both kinds of answer have in common; `record` is for the log of the call. */
export interface AskedStep {
  lines: Line[];
  chosenEdge: string | null;
  toolCalls?: StepAnswer['toolCalls'];
  /** The step ended its turn, and MySQL has the turn. */
  isCommitted?: true;
  record: Omit<
    CommitTurnInput['steps'][number],
    'nodeId' | 'nodeName' | 'visitIndex' | 'lineCount' | 'toolCalls'
  >;
}

interface Walking {
  input: CallInput;
  checkpoint: Checkpoint;
  start: TurnStart;
  utterance: Line | null;
  ask: AskStep;
  /** Transfers the caller; absent in text. */
  transfer?: Transfer;
  /** Receives the turn and its completed steps when a step fails. */
  onFailure?: (turn: Turn, steps: CommitTurnInput['steps']) => void;
}

/** A turn at its end. */
export interface WalkedTurn extends TakenTurn {
  steps: CommitTurnInput['steps'];
  toolRounds: ToolRound[];
  /** MySQL has it: its last step was committed with it. */
  isCommitted: boolean;
}

/**
 * Takes one turn: steps until the model stays at a node. The reply that ends the turn commits it; after a tool
 * that ended the conversation, a commit of its own does. Nothing is visible before the commit, and a failed
 * turn is only recorded as failed. Once begun, a commit is not cancelled, so that MySQL and this Workflow agree.
 */
export async function takeTurn(request: TurnRequest): Promise<TurnOutcome> {
  const failed: { turn: Turn; steps: CommitTurnInput['steps'] }[] = [];
  let walked: WalkedTurn;
  try {
    walked = await walkTurn({
      ...request,
      ask: (step, lines, rounds, taken) => askModel(request, { step, lines, rounds, ...taken }),
      onFailure: (turn, steps) => failed.push({ turn, steps }),
    });
  } catch (error) {
    const [at] = failed;
    if (at === undefined) throw error;
    return await noteFailure({ request, ...at, error });
  }
  if (!walked.isCommitted) await CancellationScope.nonCancellable(() => commitTurn(request, walked));
  return { kind: 'committed', result: walked.result, lines: walked.lines, endReason: walked.endReason };
}

/** Runs the steps of a turn until it stays at a node, on any channel. Writes nothing. */
export async function walkTurn({
  input,
  checkpoint,
  start,
  utterance,
  ask,
  transfer,
  onFailure,
}: Walking): Promise<WalkedTurn> {
  let turn = beginTurn({ plan: input.plan, checkpoint, start });
  const lines: Line[] = utterance === null ? [] : [utterance];
  const steps: CommitTurnInput['steps'] = [];
  const tools: ToolUse = { rounds: [], calls: 0, end: null };
  let isCommitted = false;
  while (!turn.isOver) {
    const step = nextStep(input.plan, turn);
    try {
      const answer = await ask(step, lines, tools.rounds, { turn, steps });
      isCommitted = answer.isCommitted === true;
      lines.push(...answer.lines);
      const used = await useTools({ input, step, answer, tools, lines, transfer });
      const addedLines = lines.length - turn.lineCount;
      steps.push(loggedStep({ input, step, answer, used, addedLines }));
      turn = recordStep(input.plan, turn, {
        addedLines,
        chosenEdge: answer.chosenEdge,
        ...stepTools(used, tools),
      });
    } catch (error) {
      onFailure?.(turn, steps);
      throw error;
    }
  }
  return {
    result: finishTurn(input.plan, turn),
    lines,
    endReason: tools.end?.reason ?? null,
    steps,
    toolRounds: tools.rounds,
    isCommitted,
  };
}

/** A step, for the log of the call. */
function loggedStep({
  input,
  step,
  answer,
  used,
  addedLines,
}: {
  input: CallInput;
  step: Step;
  answer: AskedStep;
  used: ToolCallRecord[] | null;
  addedLines: number;
}): CommitTurnInput['steps'][number] {
  const { begunAt, allowInterrupt, usage, timings, spoken } = answer.record;
  return {
    nodeId: step.nodeId,
    nodeName: nodeName(input.plan, step.nodeId),
    visitIndex: step.visitIndex,
    ...(begunAt === undefined ? {} : { begunAt }),
    ...(allowInterrupt === undefined ? {} : { allowInterrupt }),
    lineCount: addedLines,
    usage,
    timings,
    ...(spoken === undefined ? {} : { spoken }),
    ...(used === null ? {} : { toolCalls: used }),
  };
}

interface Asking extends TakenSteps {
  step: Step;
  lines: Line[];
  rounds: ToolRound[];
}

/** Asks for one reply, which is committed with the turn if it ends the turn. */
async function askModel(
  { input, checkpoint: before, failures }: TurnRequest,
  { step, lines: pendingLines, rounds, turn, steps }: Asking,
): Promise<AskedStep> {
  const { callId, organizationId, versionId, plan } = input;
  const node = nodeName(plan, step.nodeId);
  const { converse: speak } = activitiesOf<CallActivities>(
    'turn',
    `${turnName(step.turnIndex)} · reply at ${node}`,
    // The turn may be committed meanwhile, so its outcome must be known.
    { cancellationType: 'WAIT_CANCELLATION_COMPLETED' },
  );
  const { checkpoint, end } = finishTurn(plan, recordStep(plan, turn, { addedLines: 0, chosenEdge: null }));
  const answer = await speak({
    callId,
    organizationId,
    versionId,
    step,
    pendingLines,
    ...(rounds.length === 0 ? {} : { toolRounds: rounds }),
    ifLast: {
      checkpoint,
      failures,
      from: placeOf(plan, before),
      nodeName: node,
      steps,
      isOver: end !== null,
      isPlain:
        end === null &&
        before.nodeId !== null &&
        checkpoint.nodesVisited.length === before.nodesVisited.length,
    },
  });
  const { lines, chosenEdge, toolCalls, commitMs } = answer;
  const { usage, timings, begunAt, allowInterrupt = false } = answer;
  return {
    lines,
    chosenEdge,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(commitMs === undefined ? {} : { isCommitted: true as const }),
    record: { begunAt, allowInterrupt, usage, timings },
  };
}

/** The node of a checkpoint; null before the opening. */
function placeOf(plan: Plan, { nodeId, visitIndex }: Checkpoint): CommitTurnInput['from'] {
  return nodeId === null ? null : { nodeId, nodeName: nodeName(plan, nodeId), visitIndex };
}

type Committing = Pick<TurnRequest, 'input' | 'failures' | 'checkpoint'>;

/** Writes a turn that its last step did not commit. */
export async function commitTurn(request: Committing, walked: WalkedTurn): Promise<void> {
  const { turnIndex, revision } = walked.result.checkpoint;
  const { commitTurn: commit } = activitiesOf<CallActivities>(
    'quick',
    `${turnName(turnIndex)} · commit revision ${revision}`,
  );
  await commit(commitInput(request, walked));
}

/** What is written of a turn; `checkpoint` is the one before it. */
export function commitInput(
  { input, failures, checkpoint: before }: Committing,
  { result, lines, steps, toolRounds }: WalkedTurn,
): CommitTurnInput {
  const { callId, organizationId, plan } = input;
  const { checkpoint } = result;
  return {
    callId,
    organizationId,
    checkpoint,
    failures,
    from: placeOf(plan, before),
    lines,
    steps,
    isOver: result.end !== null,
    ...(toolRounds.length === 0 ? {} : { toolRounds }),
  };
}

interface Failing {
  request: TurnRequest;
  turn: Turn;
  /** The steps completed before the failure. */
  steps: CommitTurnInput['steps'];
  error: unknown;
}

/**
 * Records the failure in MySQL, so that the same message sent again is a new attempt and does not get the old
 * answer. A turn that a lost worker committed after all is no failure.
 */
async function noteFailure({
  request: { input, failures },
  turn,
  steps,
  error,
}: Failing): Promise<TurnOutcome> {
  const { callId, organizationId, plan } = input;
  const { type, message } = rootOf(error);
  const node = nodeName(plan, turn.nodeId);
  const failed = {
    branch: turn.base.branch,
    turnIndex: turn.turnIndex,
    nodeId: turn.nodeId,
    nodeName: node,
    error: message,
  };
  const { noteFailedTurn } = activitiesOf<CallActivities>(
    'quick',
    `${turnName(turn.turnIndex)} · record the failure`,
  );
  const lines = await CancellationScope.nonCancellable(() =>
    noteFailedTurn({
      callId,
      organizationId,
      failures: failures + 1,
      code: type,
      usages: steps.map(({ usage }) => usage),
      failed,
    }),
  );
  if (lines === null) return { kind: 'failed', error: turnFailure(turn.turnIndex, node, error) };
  const last = recordStep(plan, turn, { addedLines: lines.length - turn.lineCount, chosenEdge: null });
  return { kind: 'committed', result: finishTurn(plan, last), lines, endReason: null };
}
