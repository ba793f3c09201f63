import type { LiveRun } from '../../../contract/calls.ts';
import type { Intervened } from '../../../contract/interventions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import { wireCallState } from '../records/mapper.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';

/** What a call has come to. */
export interface SoFar {
  gathered: Record<string, unknown>;
  /** Events of the turns that are written. */
  events: Record<string, unknown>[];
  /** What was said since then. */
  running: FeedbackEvent[];
}

/** The record of contract 6.7, `/live`. */
export function toLiveRun(
  call: CallRow,
  {
    gathered,
    events,
    running,
    interventions,
    moves,
    currentNode,
  }: SoFar & { interventions: Intervened[]; moves: readonly string[]; currentNode: string | null },
): LiveRun {
  const state = wireCallState[call.state];
  return {
    id: call.id,
    workflow_id: call.agentId,
    state,
    is_completed: state === 'completed',
    current_node: currentNode,
    gathered_context: call.variablesErasedAt === null ? gathered : null,
    events,
    running,
    interventions,
    moves: moves.map((at) => wireTimestamp(new Date(at))),
  };
}
