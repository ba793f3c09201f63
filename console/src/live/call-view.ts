/** What a live conversation looks like on a screen, made of the events of docs/web-calls.md. */

/** One side's words, one bubble. */
export interface Said {
  who: 'agent' | 'caller';
  text: string;
  /** False while a recognizer may still change them. */
  isFinal: boolean;
  /** Whether the other side cut them off. */
  isCut: boolean;
}

/** A node that the conversation has reached. */
export interface Visit {
  nodeId: string;
  name: string;
  /** Milliseconds since the call began. */
  atMs: number;
}

/** How long the person waited for an answer. */
export interface Wait {
  totalMs: number;
  /** Until the model's first word. Null if it was not measured. */
  modelMs: number | null;
}

export type Phase = 'connecting' | 'talking' | 'ended' | 'lost' | 'refused';

export interface CallView {
  phase: Phase;
  /** When the conversation began, in milliseconds since 1970. */
  beganAtMs: number | null;
  endedAtMs: number | null;
  said: readonly Said[];
  path: readonly Visit[];
  isAgentSpeaking: boolean;
  /** The agent has words to say or to think of: nothing is asked of the person. */
  isAnswering: boolean;
  lastWait: Wait | null;
  /** Tools that run. */
  tools: readonly string[];
  /** Why it ended: `released`, `stopped` and the others of docs/web-calls.md. */
  reason: string | null;
  /** Why it did not begin or was lost. */
  fault: { code: string; message: string } | null;
  /** What the person said last, for the wait until the answer. */
  spokeAtMs: number | null;
  modelMs: number | null;
  /** The events of the call so far, as its log will have them. */
  events: readonly CallMessage[];
}

export const emptyView: CallView = {
  phase: 'connecting',
  beganAtMs: null,
  endedAtMs: null,
  said: [],
  path: [],
  isAgentSpeaking: false,
  isAnswering: true,
  lastWait: null,
  tools: [],
  reason: null,
  fault: null,
  spokeAtMs: null,
  modelMs: null,
  events: [],
};

/** A JSON message of the socket, or an event of a text session. */
export interface CallMessage {
  type: string;
  payload?: Record<string, unknown>;
  [field: string]: unknown;
}

export const isOver = ({ phase }: Pick<CallView, 'phase'>): boolean =>
  phase === 'ended' || phase === 'lost' || phase === 'refused';

/** The view after a message. Unknown messages change nothing. */
export function afterMessage(view: CallView, message: CallMessage, nowMs: number): CallView {
  const next = changed(view, message, nowMs);
  return message.type.startsWith('rtf-') ? { ...next, events: [...view.events, message] } : next;
}

function changed(view: CallView, message: CallMessage, nowMs: number): CallView {
  const payload = message.payload ?? {};
  const text = (name: string): string => (typeof payload[name] === 'string' ? payload[name] : '');
  switch (message.type) {
    case 'started':
      return { ...view, phase: 'talking', beganAtMs: view.beganAtMs ?? nowMs };
    case 'rtf-node-transition':
      return {
        ...view,
        path: [
          ...view.path,
          { nodeId: text('node_id'), name: text('node_name'), atMs: nowMs - (view.beganAtMs ?? nowMs) },
        ],
      };
    case 'rtf-bot-text':
      return { ...view, said: withAgentWords(view.said, text('text')) };
    case 'rtf-user-transcription':
      return heard(view, { text: text('text'), isFinal: payload['final'] !== false, nowMs });
    case 'rtf-ttfb-metric':
      return payload['processor'] === 'llm' ? { ...view, modelMs: msOf(payload['ttfb_seconds']) } : view;
    case 'rtf-bot-started-speaking':
      return answered(view, nowMs);
    case 'rtf-latency-measured': {
      const totalMs = msOf(payload['latency_seconds']);
      return totalMs === null
        ? view
        : { ...view, lastWait: { totalMs, modelMs: view.lastWait?.modelMs ?? null } };
    }
    case 'rtf-bot-stopped-speaking':
      return { ...view, isAgentSpeaking: false, isAnswering: false };
    case 'clear':
      return view.isAgentSpeaking ? { ...view, said: withCut(view.said) } : view;
    case 'rtf-function-call-start':
      return { ...view, tools: [...view.tools, text('function_name')] };
    case 'rtf-function-call-end':
      return { ...view, tools: view.tools.filter((each) => each !== text('function_name')) };
    case 'error':
      return { ...view, fault: { code: text('error_type'), message: text('message') } };
    case 'call-ended':
      return {
        ...over(view, 'ended', nowMs),
        reason: typeof message['reason'] === 'string' ? message['reason'] : null,
      };
    default:
      return view;
  }
}

/** The view after the socket has closed. A socket that closes before the end of the call lost it. */
export function afterClose(view: CallView, code: number, nowMs: number): CallView {
  if (isOver(view)) return view;
  if (code === 1000) return over(view, 'ended', nowMs);
  return {
    ...over(view, view.beganAtMs === null ? 'refused' : 'lost', nowMs),
    fault: view.fault ?? { code: String(code), message: '' },
  };
}

/** The view of a call that no media host took in time. */
export const afterNoAnswer = (view: CallView, nowMs: number): CallView => ({
  ...over(view, 'refused', nowMs),
  fault: { code: 'no_answer', message: '' },
});

function over(view: CallView, phase: Phase, nowMs: number): CallView {
  return { ...view, phase, endedAtMs: nowMs, isAgentSpeaking: false, isAnswering: false, tools: [] };
}

/** Clauses of one answer are one bubble. */
function withAgentWords(said: readonly Said[], text: string): readonly Said[] {
  const last = said.at(-1);
  const next = { who: 'agent', text, isFinal: true, isCut: false } as const;
  return last?.who === 'agent' && !last.isCut
    ? [...said.slice(0, -1), { ...last, text: `${last.text} ${text}` }]
    : [...said, next];
}

const withCut = (said: readonly Said[]): readonly Said[] => {
  const at = said.findLastIndex(({ who }) => who === 'agent');
  return said.map((each, index) => (index === at ? { ...each, isCut: true } : each));
};

/** Words of the person take the place of those that were not final. */
function heard(
  view: CallView,
  { text, isFinal, nowMs }: { text: string; isFinal: boolean; nowMs: number },
): CallView {
  const before = view.said.at(-1);
  const kept = before?.who === 'caller' && !before.isFinal ? view.said.slice(0, -1) : view.said;
  return {
    ...view,
    said: [...kept, { who: 'caller', text, isFinal, isCut: false }],
    ...(isFinal ? { spokeAtMs: nowMs, modelMs: null, isAnswering: true } : {}),
  };
}

/** The answer is heard. Its wait is measured here, and by the host if it knows when the person stopped. */
function answered(view: CallView, nowMs: number): CallView {
  const { spokeAtMs, modelMs } = view;
  return {
    ...view,
    isAgentSpeaking: true,
    isAnswering: true,
    ...(spokeAtMs === null ? {} : { lastWait: { totalMs: nowMs - spokeAtMs, modelMs }, spokeAtMs: null }),
  };
}

const msOf = (seconds: unknown): number | null => (typeof seconds === 'number' ? seconds * 1000 : null);
