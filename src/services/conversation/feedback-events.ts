import type { Line } from '../../domain/call/line.ts';
import type { ToolCallRecord } from '../../domain/call/tool-round.ts';
import type { StepTimings } from './ask-model.ts';

/** One step of a turn as the log of the call shows it. */
export interface SpokenStep {
  nodeId: string;
  nodeName: string;
  /** New lines of this step. */
  lineCount: number;
  timings: StepTimings | null;
  /** Tools that the step called; absent = none. */
  toolCalls?: ToolCallRecord[];
}

/** An entry of `logs.realtime_feedback_events` (contract 6.7). */
export interface FeedbackEvent extends Record<string, unknown> {
  type: string;
  payload: Record<string, unknown>;
  timestamp: string;
  turn: number;
}

interface TurnSource {
  turnIndex: number;
  lines: readonly Line[];
  steps: readonly SpokenStep[];
  /** Node before this turn; null for the opening. */
  from: { nodeId: string; nodeName: string } | null;
  model: string;
}

/** The events of one turn, in the order in which they happened. */
export function feedbackEvents({ turnIndex, lines, steps, from, model }: TurnSource): FeedbackEvent[] {
  const events: FeedbackEvent[] = [];
  let [previous, at] = [from, lines[0]?.at ?? ''];
  const add = (type: string, payload: Record<string, unknown>, step: SpokenStep | null) => events.push({ type, payload, timestamp: at, turn: turnIndex, ...(step === null ? {} : { node_id: step.nodeId, node_name: step.nodeName }) });
  const utterances = lines.filter(({ speaker }) => speaker === 'user');
  for (const { text } of utterances) add('rtf-user-transcription', { text, final: true }, null);
  let next = utterances.length;
  for (const step of steps) {
    if (previous?.nodeId !== step.nodeId) add('rtf-node-transition', { node_id: step.nodeId, node_name: step.nodeName, previous_node_id: previous?.nodeId ?? null, previous_node_name: previous?.nodeName ?? null, allow_interrupt: false }, step);
    if (step.timings?.firstTokenMs != null) add('rtf-ttfb-metric', { ttfb_seconds: step.timings.firstTokenMs / 1000, processor: 'llm', model }, step);
    for (const line of lines.slice(next, next + step.lineCount)) {
      at = line.at;
      add('rtf-bot-text', { text: line.text }, step);
    }
    for (const { id, name, argumentsText, result } of step.toolCalls ?? []) {
      add('rtf-function-call-start', { function_name: name, tool_call_id: id, arguments: argumentsText }, step);
      add('rtf-function-call-end', { function_name: name, tool_call_id: id, result }, step);
    }
    next += step.lineCount;
    previous = step;
  }
  return events;
}
