import type { CallActivities } from '../../activities/call.ts';
import type { Line } from '../../domain/call/line.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { ToolCallRecord, ToolRound } from '../../domain/call/tool-round.ts';
import type { Step, StepOutcome } from '../../domain/call/turn.ts';
import { activitiesOf } from '../proxies.ts';
import { nodeName, turnName } from './details.ts';
import type { CallInput } from './messages.ts';

/** What a turn has used of tools so far. */
export interface ToolUse {
  rounds: ToolRound[];
  /** Tool calls so far: a call's number is part of what makes its request unique. */
  calls: number;
  /** Set when a tool ended the conversation. */
  end: { reason: string | null } | null;
}

/** A tool that hands the caller over: which one, and what was said in this turn. */
export interface TransferRequest {
  step: Step;
  call: ToolCallRequest;
  /** Which tool call of its turn. */
  callIndex: number;
  lines: readonly Line[];
  /** Where to depends on values that are read out of the conversation. */
  readsContext: boolean;
}

/**
 * Hands the caller over. `result` is for the model, `lines` were said meanwhile; `end` when the caller is
 * with somebody else now.
 */
export type Transfer = (
  request: TransferRequest,
) => Promise<{ result: string; lines: Line[]; end: ToolUse['end'] }>;

interface Using {
  input: CallInput;
  step: Step;
  answer: { toolCalls?: ToolCallRequest[] | undefined };
  tools: ToolUse;
  /** Of the turn so far; what is said while a tool runs is added. */
  lines: Line[];
  transfer: Transfer | undefined;
}

/**
 * Runs the tools that an answer of the model asks for, one after the other; what would come after the end of
 * the conversation is left out. Null when it asks for none.
 */
export async function useTools({
  input,
  step,
  answer,
  tools,
  lines,
  transfer,
}: Using): Promise<ToolCallRecord[] | null> {
  if (answer.toolCalls === undefined) return null;
  const { callId, organizationId, plan } = input;
  const { branch, turnIndex, nodeId } = step;
  const calls: ToolCallRecord[] = [];
  for (const call of answer.toolCalls) {
    if (tools.end !== null) break;
    const { runTool } = activitiesOf<CallActivities>(
      'turn',
      `${turnName(turnIndex)} · tool ${tools.calls + 1} at ${nodeName(plan, nodeId)}`,
    );
    const startedAt = new Date().toISOString();
    const ran = await runTool({ callId, organizationId, branch, turnIndex, callIndex: tools.calls, call });
    const outcome =
      ran.transfers !== undefined && transfer !== undefined
        ? await transfer({ step, call, callIndex: tools.calls, lines, ...ran.transfers })
        : { ...ran, lines: [] };
    lines.push(...outcome.lines);
    tools.calls += 1;
    tools.end = outcome.end;
    calls.push({
      id: call.id,
      name: call.name,
      argumentsText: call.argumentsText,
      result: outcome.result,
      startedAt,
      endedAt: new Date().toISOString(),
    });
  }
  tools.rounds.push({ atLine: lines.length, calls });
  return calls;
}

/** The same for the reducer. */
export function stepTools(used: ToolCallRecord[] | null, { end }: ToolUse): Pick<StepOutcome, 'tools'> {
  if (used === null) return {};
  return { tools: end === null ? 'used' : 'ended' };
}
