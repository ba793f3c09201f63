/** One line of a transcript, in the order spoken. */
export interface Line {
  speaker: 'user' | 'assistant';
  text: string;
  /** ISO 8601. */
  at: string;
  /** ISO 8601; absent where nobody measured it. */
  endAt?: string;
  /** Node the conversation was at; null where that is not known. */
  nodeId: string | null;
  kind: LineKind;
  /** The caller cut it off: `text` ends where hearing ended. Absent = false. */
  wasInterrupted?: true;
}

const lineKinds = [
  'utterance',
  'keypad',
  'greeting',
  'reply',
  'tool_message',
  'transition_speech',
  'closing',
] as const;

export type LineKind = (typeof lineKinds)[number];

export function isLineKind(value: unknown): value is LineKind {
  return lineKinds.some((kind) => kind === value);
}
