import type { Line } from '../../../domain/call/line.ts';
import { shownArguments } from '../../../domain/call/tool-call.ts';
import type { ToolCallRecord } from '../../../domain/call/tool-round.ts';
import type { SpokenUsage, TurnTimings } from '../../../domain/call/voice.ts';
import type { StepTimings } from './ask-model.ts';
import { soundEvents } from './sound-events.ts';

/** One step of a turn, for the log of the call. */
export interface LoggedStep extends Visit {
  /** When the step began, ISO 8601; absent when no media host took it. */
  begunAt?: string;
  /** The node's setting; absent = false. */
  allowInterrupt?: boolean;
  /** Number of new lines of this step. */
  lineCount: number;
  timings: StepTimings | null;
  /** Tools that the step called; absent = none. */
  toolCalls?: ToolCallRecord[];
  /** For a spoken step; absent in text. */
  spoken?: SpokenPart;
}

/** What only a spoken step has: timestamps of sound, usage of voices and recognizers, and faults. */
export interface SpokenPart {
  timings: TurnTimings | null;
  usage: Pick<SpokenUsage, 'tts' | 'stt'>;
  wasInterrupted: boolean;
  fault?: { stage: 'llm' | 'tts' | 'stt'; message: string };
}

/** An entry of `logs.realtime_feedback_events` (contract 6.7). */
export interface FeedbackEvent extends Record<string, unknown> {
  type: string;
  payload: Record<string, unknown>;
  timestamp: string;
  turn: number;
}

interface Place {
  nodeId: string;
  nodeName: string;
}

interface Visit extends Place {
  visitIndex: number;
}

interface TurnSource {
  turnIndex: number;
  lines: readonly Line[];
  steps: readonly LoggedStep[];
  /** The node before this turn; null for the opening. */
  from: Visit | null;
  /** The installation's model, for spoken steps whose answer broke off before it named its model. */
  model: string;
}

/**
 * The events of one turn, in the order in which they happened. Clock differences between machines never
 * change that order.
 */
export function feedbackEvents({ turnIndex, lines, steps, from, model }: TurnSource): FeedbackEvent[] {
  const log = new TurnLog(turnIndex);
  const utterances = lines.filter(({ speaker }) => speaker === 'user');
  for (const { text, at, endAt } of utterances)
    log.add({
      type: 'rtf-user-transcription',
      payload: { text, final: true, timestamp: at, ...(endAt === undefined ? {} : { end_timestamp: endAt }) },
      at,
      place: from,
    });
  let previous: Visit | null = from;
  let next = utterances.length;
  for (const step of steps) {
    if (isAnotherVisit(previous, step))
      log.add({
        type: 'rtf-node-transition',
        payload: transition(previous, step),
        at: step.begunAt,
        place: step,
      });
    addStep(log, { step, lines: lines.slice(next, next + step.lineCount), model });
    next += step.lineCount;
    previous = step;
  }
  return log.events;
}

/** A failed turn changes only this log: the conversation continues (contract 6.10). */
export function failedTurnEvent({
  turnIndex,
  place,
  error,
  code,
  at,
}: {
  turnIndex: number;
  place: Place;
  error: string;
  code: string;
  at: Date;
}): FeedbackEvent {
  const log = new TurnLog(turnIndex);
  const payload = { error, fatal: false, ...(code === 'provider' ? { processor: llmProcessor } : {}) };
  return log.add({ type: 'rtf-pipeline-error', payload, at: at.toISOString(), place });
}

const llmProcessor = 'llm';

class TurnLog {
  readonly events: FeedbackEvent[] = [];
  readonly #turn: number;
  #at = '';

  constructor(turn: number) {
    this.#turn = turn;
  }

  /** `at` is ISO 8601. An unknown timestamp, or one before the last event's, becomes the last event's. */
  add({
    type,
    payload,
    at = '',
    place,
  }: {
    type: string;
    payload: Record<string, unknown>;
    at?: string | undefined;
    place: Place | null;
  }): FeedbackEvent {
    this.#at = at > this.#at ? at : this.#at;
    const event = {
      type,
      payload,
      timestamp: this.#at,
      turn: this.#turn,
      ...(place === null ? {} : { node_id: place.nodeId, node_name: place.nodeName }),
    };
    this.events.push(event);
    return event;
  }
}

/** Compares visits too, because an edge may lead back to its own node. */
function isAnotherVisit(previous: Visit | null, step: Visit): boolean {
  return previous?.nodeId !== step.nodeId || previous.visitIndex !== step.visitIndex;
}

function transition(previous: Place | null, step: LoggedStep): Record<string, unknown> {
  return {
    node_id: step.nodeId,
    node_name: step.nodeName,
    previous_node_id: previous?.nodeId ?? null,
    previous_node_name: previous?.nodeName ?? null,
    allow_interrupt: step.allowInterrupt ?? false,
  };
}

/** Lines spoken before the model is asked come first: a greeting or a transition speech. */
function addStep(
  log: TurnLog,
  { step, lines, model }: { step: LoggedStep; lines: readonly Line[]; model: string },
): void {
  const { timings, toolCalls = [] } = step;
  const said = ({ text, at, endAt }: Line) =>
    log.add({
      type: 'rtf-bot-text',
      payload: { text, timestamp: at, ...(endAt === undefined ? {} : { end_timestamp: endAt }) },
      at,
      place: step,
    });
  const before = lines.filter(({ kind }) => kind === 'transition_speech' || kind === 'greeting');
  before.forEach(said);
  if (timings?.firstTokenMs != null)
    log.add({
      type: 'rtf-ttfb-metric',
      payload: {
        ttfb_seconds: timings.firstTokenMs / 1000,
        processor: llmProcessor,
        model: timings.model,
      },
      at: timings.firstTokenAt,
      place: step,
    });
  lines.slice(before.length).forEach(said);
  for (const event of step.spoken === undefined ? [] : soundEvents(step.spoken, model))
    log.add({ ...event, place: step });
  for (const { id, name, argumentsText, result, startedAt, endedAt } of toolCalls) {
    const call = { function_name: name, tool_call_id: id };
    log.add({
      type: 'rtf-function-call-start',
      payload: { ...call, arguments: shownArguments(argumentsText) },
      at: startedAt,
      place: step,
    });
    log.add({ type: 'rtf-function-call-end', payload: { ...call, result }, at: endedAt, place: step });
  }
}
