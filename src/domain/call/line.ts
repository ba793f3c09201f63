/** One line of a transcript, in the order spoken. */
export interface Line {
  speaker: 'user' | 'assistant';
  text: string;
  /** ISO 8601. */
  at: string;
  /** ISO 8601; absent when it was not measured. */
  endAt?: string;
  /** Node of the conversation at that time; null when unknown. */
  nodeId: string | null;
  kind: LineKind;
  /** The caller interrupted it: `text` ends with the last heard word. Absent = false. */
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
