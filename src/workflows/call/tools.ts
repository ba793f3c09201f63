import type { CallActivities, StepAnswer } from '../../activities/call.ts';
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

interface Using {
  input: CallInput;
  step: Step;
  answer: StepAnswer;
  tools: ToolUse;
  /** Lines of the turn so far. */
  atLine: number;
}

/**
 * Runs the tools that an answer of the model asks for, one after the other; what would come after the end of the conversation is
 * left out. Null when it asks for none.
 */
export async function useTools({ input, step, answer, tools, atLine }: Using): Promise<ToolCallRecord[] | null> {
  if (answer.toolCalls === undefined) return null;
  const { callId, organizationId, plan } = input;
  const { branch, turnIndex, nodeId } = step;
  const calls: ToolCallRecord[] = [];
  for (const call of answer.toolCalls) {
    if (tools.end !== null) break;
    const { runTool } = activitiesOf<CallActivities>('turn', `${turnName(turnIndex)} · tool ${tools.calls + 1} at ${nodeName(plan, nodeId)}`);
    const startedAt = new Date().toISOString();
    const outcome = await runTool({ callId, organizationId, branch, turnIndex, callIndex: tools.calls, call });
    tools.calls += 1;
    tools.end = outcome.end;
    calls.push({ id: call.id, name: call.name, argumentsText: call.argumentsText, result: outcome.result, startedAt, endedAt: new Date().toISOString() });
  }
  tools.rounds.push({ atLine, calls });
  return calls;
}

/** The same for the reducer. */
export function stepTools(used: ToolCallRecord[] | null, { end }: ToolUse): Pick<StepOutcome, 'tools'> {
  if (used === null) return {};
  return { tools: end === null ? 'used' : 'ended' };
}
