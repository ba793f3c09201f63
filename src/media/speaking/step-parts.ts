import type { Line } from '../../domain/call/line.ts';
import type { AfterSpeaking, SpeakStepInput } from '../../domain/call/voice.ts';
import type { FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { ModelUsage } from '../../services/calls/index.ts';

/** The outcome of a step, apart from what was heard. */
export interface Decision {
  chosenEdge: string | null;
  toolCalls: ToolCallRequest[];
  usage: ModelUsage | null;
  /** A provider failed, and a fixed line was said instead. */
  fault: Extract<AfterSpeaking, { kind: 'fault' }> | null;
}

export const noDecision: Decision = { chosenEdge: null, toolCalls: [], usage: null, fault: null };

/** The goodbye lines by reason. */
export const goodbyes = {
  idle: 'goodbye_idle',
  duration: 'goodbye_duration',
  fault: 'goodbye_fault',
  supervisor: 'goodbye_supervisor',
} as const satisfies Record<'idle' | 'duration' | 'fault' | 'supervisor', FixedLine>;

export function placeOf({ callId, organizationId, step, toolRounds = [] }: SpeakStepInput) {
  return {
    callId,
    organizationId,
    turnIndex: step.turnIndex,
    visitIndex: step.visitIndex,
    toolRound: toolRounds.length,
  };
}

/** The caller's words as a transcript line. */
export function utteranceLine({ text, at, nodeId }: { text: string; at: string; nodeId: string }): Line {
  return { speaker: 'user', text, at, nodeId, kind: 'utterance' };
}
