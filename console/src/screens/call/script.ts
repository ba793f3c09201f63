/**
 * What happened in a call, read from its log (`logs.realtime_feedback_events`, contract 6.7): the lines that
 * were spoken, the nodes, the tools and the faults, on one clock.
 */

/** A moment of the call in milliseconds since its beginning. */
type Moment = number;

export interface SpokenLine {
  kind: 'line';
  speaker: 'agent' | 'caller';
  at: Moment;
  /** The end of its sound. Null if it was not measured. */
  until: Moment | null;
  text: string;
  /** From the end of the caller's words to the first sound or text. Null for what was not an answer. */
  latencyMs: number | null;
  split: LatencySplit | null;
  /** The caller began to speak before the agent had finished. */
  isCutOff: boolean;
}

/** Where the time to an answer went, in milliseconds. Null if a part was not measured. */
export interface LatencySplit {
  model: number | null;
  voice: number | null;
  /** Everything else: recognition of the words, and the service itself. */
  rest: number;
}

export interface Hop {
  kind: 'hop';
  at: Moment;
  /** 1 for the first node. */
  number: number;
  nodeId: string;
  node: string;
  /** The transition that led here. Null for the first node, or if several might have. */
  by: string | null;
}

export interface ToolUse {
  kind: 'tool';
  at: Moment;
  name: string;
  arguments: unknown;
  /** Undefined while the tool works. */
  result: unknown;
  isDone: boolean;
  ms: number | null;
  hasFailed: boolean;
}

export interface Fault {
  kind: 'fault';
  at: Moment;
  what: string;
  /** The part that failed: `llm`, `tts`, `stt`, `extraction`. */
  where: string | null;
  isFatal: boolean;
}

export type ScriptItem = SpokenLine | Hop | ToolUse | Fault;

export interface CallScript {
  items: readonly ScriptItem[];
  /** ISO 8601 of moment 0. Null if nothing happened. */
  beganAt: string | null;
  /** Time of its last event, in milliseconds from its beginning. */
  lengthMs: number;
  /** Ids of the nodes in the order of entry, with repeats. */
  path: readonly string[];
  /** Whether voices were heard, unlike in a text session. */
  isSpoken: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** An edge of the agent's graph, as far as it is needed to name a transition. */
export interface Transition {
  source: string;
  target: string;
  label: string;
}

/** The events of a call's `logs`. Empty while it goes on, and when they were erased. */
export function eventsIn(logs: unknown): readonly Json[] {
  const events = isObject(logs) ? logs['realtime_feedback_events'] : undefined;
  return Array.isArray(events) ? events.filter(isObject) : [];
}

/**
 * When the recording of a phone call begins, ISO 8601: when the carrier reported that it was answered. Null
 * for other calls.
 */
export function answeredAt(logs: unknown): string | null {
  const callbacks = isObject(logs) ? logs['telephony_status_callbacks'] : undefined;
  if (!Array.isArray(callbacks)) return null;
  const answered = callbacks.filter(isObject).find(({ status }) => status === 'in-progress');
  return textOf(answered?.['timestamp']);
}

/** The events of a text session that goes on. */
export const eventsOfSession = (turns: readonly { events: readonly unknown[] }[]): readonly Json[] =>
  turns.flatMap(({ events }) => events).filter(isObject);

/**
 * Reads the events. `beganAt` is the moment at which the recording begins, if that is known; else the first
 * event is moment 0.
 */
export function readScript(
  events: readonly Json[],
  { transitions = [], beganAt = null }: { transitions?: readonly Transition[]; beganAt?: string | null } = {},
): CallScript {
  const zero = beganAt ?? events.map(momentOf).find((each) => each !== null) ?? null;
  const reader = new Reader(zero === null ? 0 : Date.parse(zero), transitions, events.some(isSound));
  for (const event of events) reader.read(event);
  return {
    items: reader.items.toSorted((left, right) => left.at - right.at),
    beganAt: zero,
    lengthMs: Math.max(
      0,
      ...reader.items.map((item) => ('until' in item ? (item.until ?? item.at) : item.at)),
    ),
    path: reader.items.flatMap((item) => (item.kind === 'hop' ? [item.nodeId] : [])),
    isSpoken: events.some(isSound),
  };
}

const isSound = ({ type }: Json): boolean =>
  type === 'rtf-bot-started-speaking' || type === 'rtf-latency-measured';

/** The measured moment of a line, else the one of its log entry. */
function momentOf(event: Json): string | null {
  const payload = isObject(event['payload']) ? event['payload'] : {};
  return textOf(payload['timestamp']) ?? textOf(event['timestamp']);
}

/** A line of the agent with the measurements that belong to it. */
interface Answer {
  line: SpokenLine;
  model: number | null;
  voice: number | null;
}

class Reader {
  readonly items: ScriptItem[] = [];
  readonly #zero: number;
  readonly #transitions: readonly Transition[];
  readonly #isSpoken: boolean;
  /** Lines of the agent since its last pause, oldest first. */
  #step: Answer[] = [];
  /** The caller's line that has no answer yet. */
  #asked: SpokenLine | null = null;
  /** In a text session the model's time comes before the line. */
  #modelMs: number | null = null;
  readonly #openTools = new Map<string, ToolUse>();
  #node: string | null = null;
  #last: Moment = 0;

  constructor(zero: number, transitions: readonly Transition[], isSpoken: boolean) {
    this.#zero = zero;
    this.#transitions = transitions;
    this.#isSpoken = isSpoken;
  }

  read(event: Json): void {
    const payload = isObject(event['payload']) ? event['payload'] : {};
    const at = this.#at(momentOf(event));
    switch (event['type']) {
      case 'rtf-user-transcription':
        if (payload['final'] !== false) this.#heard(payload, at);
        break;
      case 'rtf-bot-text':
        this.#said(payload, at);
        break;
      case 'rtf-node-transition':
        this.#hop(payload, at);
        break;
      case 'rtf-ttfb-metric':
        this.#metric(payload);
        break;
      case 'rtf-latency-measured':
        this.#latency(payload);
        break;
      case 'rtf-bot-stopped-speaking':
        this.#stopped(at);
        break;
      case 'rtf-function-call-start':
        this.#toolBegan(payload, at);
        break;
      case 'rtf-function-call-end':
        this.#toolEnded(payload, at);
        break;
      case 'rtf-pipeline-error':
      case 'extraction_failed':
        this.#fault(event, at);
        break;
    }
  }

  #at(text: string | null): Moment {
    const at = text === null ? NaN : Date.parse(text) - this.#zero;
    if (!Number.isNaN(at)) this.#last = Math.max(0, at);
    return this.#last;
  }

  #span(payload: Json, at: Moment): Pick<SpokenLine, 'at' | 'until' | 'text'> {
    const end = textOf(payload['end_timestamp']);
    const until = end === null ? NaN : Date.parse(end) - this.#zero;
    return { at, until: Number.isNaN(until) ? null : until, text: textOf(payload['text']) ?? '' };
  }

  #heard(payload: Json, at: Moment): void {
    // The end of an interrupted line is not measured.
    const cut = this.#isSpoken ? this.#step.at(-1)?.line : undefined;
    if (cut?.until === null) {
      cut.isCutOff = true;
      cut.until = at;
    }
    const line: SpokenLine = {
      kind: 'line',
      speaker: 'caller',
      ...this.#span(payload, at),
      latencyMs: null,
      split: null,
      isCutOff: false,
    };
    this.#step = [];
    this.#asked = line;
    this.items.push(line);
  }

  #said(payload: Json, at: Moment): void {
    const asked = this.#asked;
    const line: SpokenLine = {
      kind: 'line',
      speaker: 'agent',
      ...this.#span(payload, at),
      latencyMs: asked === null ? null : Math.max(0, at - (asked.until ?? asked.at)),
      split: null,
      isCutOff: false,
    };
    const before = this.#step.at(-1)?.line;
    if (before !== undefined) before.until ??= at;
    this.#step.push({ line, model: this.#modelMs, voice: null });
    this.items.push(line);
    this.#modelMs = null;
    this.#asked = null;
    this.#share();
  }

  #hop(payload: Json, at: Moment): void {
    const nodeId = textOf(payload['node_id']) ?? '';
    const from = textOf(payload['previous_node_id']) ?? this.#node;
    const possible = this.#transitions.filter(({ source, target }) => source === from && target === nodeId);
    this.items.push({
      kind: 'hop',
      at,
      number: this.items.filter(({ kind }) => kind === 'hop').length + 1,
      nodeId,
      node: textOf(payload['node_name']) ?? nodeId,
      by: possible.length === 1 ? (possible[0]?.label ?? null) : null,
    });
    this.#node = nodeId;
  }

  /** Measures the words of the model, which a line that was known before does not wait for. */
  #metric(payload: Json): void {
    const ms = inMs(payload['ttfb_seconds']);
    const answer = this.#step.at(-1);
    if (ms === null) return;
    // While a call goes on, the model's first word is known before it is spoken.
    if (!this.#isSpoken || (answer === undefined && payload['processor'] !== 'tts'))
      this.#modelMs = (this.#modelMs ?? 0) + ms;
    else if (answer !== undefined) {
      if (payload['processor'] === 'tts') answer.voice = ms;
      else answer.model = ms;
      this.#share();
    }
  }

  #latency(payload: Json): void {
    const ms = inMs(payload['latency_seconds']);
    const answer = this.#step[0];
    if (ms === null || answer === undefined) return;
    answer.line.latencyMs = ms;
    this.#share();
  }

  #share(): void {
    for (const { line, model, voice } of this.#step) {
      if (line.latencyMs === null || (model === null && voice === null)) continue;
      const rest = Math.max(0, line.latencyMs - (model ?? 0) - (voice ?? 0));
      line.split = { model, voice, rest };
    }
  }

  #stopped(at: Moment): void {
    const answer = this.#step.at(-1);
    if (answer !== undefined) answer.line.until ??= at;
    this.#step = [];
  }

  #toolBegan(payload: Json, at: Moment): void {
    const tool: ToolUse = {
      kind: 'tool',
      at,
      name: textOf(payload['function_name']) ?? '?',
      arguments: payload['arguments'] ?? null,
      result: undefined,
      isDone: false,
      ms: null,
      hasFailed: false,
    };
    this.items.push(tool);
    this.#openTools.set(textOf(payload['tool_call_id']) ?? '', tool);
  }

  #toolEnded(payload: Json, at: Moment): void {
    const tool = this.#openTools.get(textOf(payload['tool_call_id']) ?? '');
    if (tool === undefined) return;
    tool.result = payload['result'];
    tool.isDone = true;
    tool.ms = Math.max(0, at - tool.at);
    tool.hasFailed = isFailedResult(payload['result']);
  }

  #fault({ type, payload: given }: Json, at: Moment): void {
    const payload = isObject(given) ? given : {};
    this.items.push({
      kind: 'fault',
      at,
      what: textOf(payload['error']) ?? textOf(payload['reason']) ?? '',
      where: type === 'extraction_failed' ? 'extraction' : textOf(payload['processor']),
      isFatal: payload['fatal'] === true,
    });
  }
}

function inMs(seconds: unknown): number | null {
  const value = numberOf(seconds);
  return value === null ? null : Math.round(value * 1000);
}

/** A tool answers with `status: error`, or with an `error`, when its endpoint failed. */
function isFailedResult(result: unknown): boolean {
  const object = typeof result === 'string' ? parsed(result) : result;
  return isObject(object) && (object['status'] === 'error' || 'error' in object);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The 95th percentile of the times to an answer. Null without any. */
export function slowLatency(items: readonly ScriptItem[]): number | null {
  const measured = items
    .flatMap((item) => (item.kind === 'line' && item.latencyMs !== null ? [item.latencyMs] : []))
    .toSorted((left, right) => left - right);
  return measured[Math.ceil(measured.length * 0.95) - 1] ?? null;
}

/** Whether the caller began to speak before the agent had finished a line. */
export const wasInterrupted = ({ items }: Pick<CallScript, 'items'>): boolean =>
  items.some((item) => item.kind === 'line' && item.isCutOff);

/** The index of the last line that has begun at a moment; -1 before the first. */
export const lineAt = (items: readonly { kind: string; at: Moment }[], at: Moment): number =>
  items.findLastIndex((item) => item.kind === 'line' && item.at <= at + 50);

/** `?t=` of a link to a moment: seconds with one decimal. */
export const momentText = (at: Moment): number => Math.round(at / 100) / 10;
