import type { CallActivities } from '../../activities/call.ts';
import type { Line } from '../../domain/call/line.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { ToolCallRecord, ToolRound } from '../../domain/call/tool-round.ts';
import type { Step, StepOutcome } from '../../domain/call/turn.ts';
import { activitiesOf } from '../proxies.ts';
import { nodeName, turnName } from './details.ts';
import type { CallInput } from './messages.ts';

/** The tools that a turn has used so far. */
export interface ToolUse {
  rounds: ToolRound[];
  /** Number of tool calls so far, which is part of the unique key of a tool's request. */
  calls: number;
  /** Set when a tool ended the conversation. */
  end: { reason: string | null } | null;
}

/** A tool call that transfers the caller. */
export interface TransferRequest {
  step: Step;
  call: ToolCallRequest;
  /** Index of the tool call in its turn. */
  callIndex: number;
  lines: readonly Line[];
  /** The destination depends on extracted values. */
  readsContext: boolean;
}

/**
 * Transfers the caller. `result` is for the model, `lines` were spoken meanwhile, and `end` is set when the
 * transfer succeeded.
 */
export type Transfer = (
  request: TransferRequest,
) => Promise<{ result: string; lines: Line[]; end: ToolUse['end'] }>;

interface Using {
  input: CallInput;
  step: Step;
  answer: { toolCalls?: ToolCallRequest[] | undefined };
  tools: ToolUse;
  /** The turn's lines so far; lines spoken while a tool runs are added. */
  lines: Line[];
  transfer: Transfer | undefined;
}

/**
 * Runs the tools that the model called, one after the other, and skips those after a tool that ended the
 * conversation. Null when the model called none.
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

/** The tool use of a step, for the reducer. */
export function stepTools(used: ToolCallRecord[] | null, { end }: ToolUse): Pick<StepOutcome, 'tools'> {
  if (used === null) return {};
  return { tools: end === null ? 'used' : 'ended' };
}
