import { CancellationScope } from '@temporalio/workflow';
import type { CallActivities, CommitTurnInput, StepAnswer } from '../../activities/call.ts';
import type { ToolCallRecord, ToolRound } from '../../domain/call/tool-round.ts';
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
export type AskStep = (step: Step, lines: Line[], rounds: ToolRound[]) => Promise<AskedStep>;

/** What both kinds of answer have in common; `record` is for the log of the call. */
export interface AskedStep {
  lines: Line[];
  chosenEdge: string | null;
  toolCalls?: StepAnswer['toolCalls'];
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

/** A turn that is not committed yet. */
export interface WalkedTurn extends TakenTurn {
  steps: CommitTurnInput['steps'];
  toolRounds: ToolRound[];
}

/**
 * Takes one turn: steps until the model stays at a node, then one commit. Nothing is visible before the
 * commit, and a failed turn is only recorded as failed. Once begun, the commit is not cancelled, so that
 * MySQL and this Workflow agree.
 */
export async function takeTurn(request: TurnRequest): Promise<TurnOutcome> {
  const failed: { turn: Turn; steps: CommitTurnInput['steps'] }[] = [];
  let walked: WalkedTurn;
  try {
    walked = await walkTurn({
      ...request,
      ask: (step, lines, rounds) => askModel(request.input, step, lines, rounds),
      onFailure: (turn, steps) => failed.push({ turn, steps }),
    });
  } catch (error) {
    const [at] = failed;
    if (at === undefined) throw error;
    return { kind: 'failed', error: await noteFailure({ request, ...at, error }) };
  }
  await CancellationScope.nonCancellable(() => commitTurn(request, walked));
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
  while (!turn.isOver) {
    const step = nextStep(input.plan, turn);
    try {
      const answer = await ask(step, lines, tools.rounds);
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

async function askModel(
  input: CallInput,
  step: Step,
  pendingLines: Line[],
  toolRounds: ToolRound[],
): Promise<AskedStep> {
  const { callId, organizationId, versionId } = input;
  const { converse: speak } = activitiesOf<CallActivities>(
    'turn',
    `${turnName(step.turnIndex)} · reply at ${nodeName(input.plan, step.nodeId)}`,
  );
  const {
    lines,
    chosenEdge,
    toolCalls,
    usage,
    timings,
    begunAt,
    allowInterrupt = false,
  } = await speak({
    callId,
    organizationId,
    versionId,
    step,
    pendingLines,
    ...(toolRounds.length === 0 ? {} : { toolRounds }),
  });
  return {
    lines,
    chosenEdge,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    record: { begunAt, allowInterrupt, usage, timings },
  };
}

/** Writes the turn. */
export async function commitTurn(
  { input, failures, checkpoint: before }: Pick<TurnRequest, 'input' | 'failures' | 'checkpoint'>,
  { result, lines, steps, toolRounds }: WalkedTurn,
): Promise<void> {
  const { callId, organizationId, plan } = input;
  const { checkpoint } = result;
  const from =
    before.nodeId === null
      ? null
      : { nodeId: before.nodeId, nodeName: nodeName(plan, before.nodeId), visitIndex: before.visitIndex };
  const { commitTurn: commit } = activitiesOf<CallActivities>(
    'quick',
    `${turnName(checkpoint.turnIndex)} · commit revision ${checkpoint.revision}`,
  );
  await commit({
    callId,
    organizationId,
    checkpoint,
    failures,
    from,
    lines,
    steps,
    isOver: result.end !== null,
    ...(toolRounds.length === 0 ? {} : { toolRounds }),
  });
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
 * answer.
 */
async function noteFailure({ request: { input, failures }, turn, steps, error }: Failing): Promise<Error> {
  const failure = turnFailure(turn.turnIndex, nodeName(input.plan, turn.nodeId), error);
  const { callId, organizationId } = input;
  const { type, message } = rootOf(error);
  const failed = {
    branch: turn.base.branch,
    turnIndex: turn.turnIndex,
    nodeId: turn.nodeId,
    nodeName: nodeName(input.plan, turn.nodeId),
    error: message,
  };
  const { noteFailedTurn } = activitiesOf<CallActivities>(
    'quick',
    `${turnName(turn.turnIndex)} · record the failure`,
  );
  await CancellationScope.nonCancellable(() =>
    noteFailedTurn({
      callId,
      organizationId,
      failures: failures + 1,
      code: type,
      usages: steps.map(({ usage }) => usage),
      failed,
    }),
  );
  return failure;
}
