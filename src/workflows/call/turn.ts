import { CancellationScope } from '@temporalio/workflow';
import type { CallActivities, CommitTurnInput, StepAnswer } from '../../activities/call.ts';
import type { ToolCallRecord, ToolRound } from '../../domain/call/tool-round.ts';
import { beginTurn, finishTurn, nextStep, recordStep, type Step, type Turn, type TurnResult, type TurnStart } from '../../domain/call/turn.ts';
import { activitiesOf } from '../proxies.ts';
import { nodeName, turnName } from './details.ts';
import { rootOf, turnFailure } from './failures.ts';
import type { CallInput } from './messages.ts';
import type { Checkpoint, Line } from './state.ts';
import { stepTools, useTools, type ToolUse } from './tools.ts';

export interface TurnRequest {
  input: CallInput;
  checkpoint: Checkpoint;
  start: TurnStart;
  /** The user's line; none in the opening. */
  utterance: Line | null;
  /** Failed turns of this call so far. */
  failures: number;
}

/** A committed turn, or one that failed and changed nothing. `endReason` is the model's own word for ending the conversation by a tool. */
export type TurnOutcome = { kind: 'committed'; result: TurnResult; lines: Line[]; endReason: string | null } | { kind: 'failed'; error: Error };

/**
 * One turn: steps until the model stays at a node, then one commit. Nothing is visible before the commit; a failed turn is
 * only noted. A commit that began is not cancelled, so that MySQL and this Workflow agree.
 */
export async function takeTurn(request: TurnRequest): Promise<TurnOutcome> {
  const { input, checkpoint, start, utterance } = request;
  let turn = beginTurn({ plan: input.plan, checkpoint, start });
  const lines: Line[] = utterance === null ? [] : [utterance];
  const steps: CommitTurnInput['steps'] = [];
  const tools: ToolUse = { rounds: [], calls: 0, end: null };
  while (!turn.isOver) {
    const step = nextStep(input.plan, turn);
    try {
      const answer = await converse(input, step, lines, tools.rounds);
      lines.push(...answer.lines);
      const used = await useTools({ input, step, answer, tools, atLine: lines.length });
      steps.push(spokenStep({ input, step, answer, used }));
      turn = recordStep(input.plan, turn, { addedLines: answer.lines.length, chosenEdge: answer.chosenEdge, ...stepTools(used, tools) });
    } catch (error) {
      return { kind: 'failed', error: await noteFailure({ request, turn, steps, error }) };
    }
  }
  const result = finishTurn(input.plan, turn);
  await CancellationScope.nonCancellable(() => commit({ request, result, lines, steps, toolRounds: tools.rounds }));
  return { kind: 'committed', result, lines, endReason: tools.end?.reason ?? null };
}

/** What the log of the call says about a step. */
function spokenStep({ input, step, answer, used }: { input: CallInput; step: Step; answer: StepAnswer; used: ToolCallRecord[] | null }): CommitTurnInput['steps'][number] {
  const { lines, usage, timings, begunAt, allowInterrupt = false } = answer;
  return { nodeId: step.nodeId, nodeName: nodeName(input.plan, step.nodeId), visitIndex: step.visitIndex, begunAt, allowInterrupt, lineCount: lines.length, usage, timings, ...(used === null ? {} : { toolCalls: used }) };
}

async function converse(input: CallInput, step: Step, pendingLines: Line[], toolRounds: ToolRound[]): Promise<StepAnswer> {
  const { callId, organizationId, versionId } = input;
  const { converse: speak } = activitiesOf<CallActivities>('turn', `${turnName(step.turnIndex)} · reply at ${nodeName(input.plan, step.nodeId)}`);
  return await speak({ callId, organizationId, versionId, step, pendingLines, ...(toolRounds.length === 0 ? {} : { toolRounds }) });
}

interface Commit {
  request: TurnRequest;
  result: TurnResult;
  lines: Line[];
  steps: CommitTurnInput['steps'];
  toolRounds: ToolRound[];
}

async function commit({ request, result, lines, steps, toolRounds }: Commit): Promise<void> {
  const { input, failures, checkpoint: before } = request;
  const { callId, organizationId, plan } = input;
  const { checkpoint } = result;
  const from = before.nodeId === null ? null : { nodeId: before.nodeId, nodeName: nodeName(plan, before.nodeId), visitIndex: before.visitIndex };
  const { commitTurn } = activitiesOf<CallActivities>('quick', `${turnName(checkpoint.turnIndex)} · commit revision ${checkpoint.revision}`);
  await commitTurn({ callId, organizationId, checkpoint, failures, from, lines, steps, isOver: result.end !== null, ...(toolRounds.length === 0 ? {} : { toolRounds }) });
}

interface Failing {
  request: TurnRequest;
  turn: Turn;
  /** What it had said until then. */
  steps: CommitTurnInput['steps'];
  error: unknown;
}

/** Noted in MySQL, so that the same message sent again is a new attempt and not the answer to the old one. */
async function noteFailure({ request: { input, failures }, turn, steps, error }: Failing): Promise<Error> {
  const failure = turnFailure(turn.turnIndex, nodeName(input.plan, turn.nodeId), error);
  const { callId, organizationId } = input;
  const { type, message } = rootOf(error);
  const failed = { branch: turn.base.branch, turnIndex: turn.turnIndex, nodeId: turn.nodeId, nodeName: nodeName(input.plan, turn.nodeId), error: message };
  const { noteFailedTurn } = activitiesOf<CallActivities>('quick', `${turnName(turn.turnIndex)} · note the failure`);
  await CancellationScope.nonCancellable(() => noteFailedTurn({ callId, organizationId, failures: failures + 1, code: type, usages: steps.map(({ usage }) => usage), failed }));
  return failure;
}
