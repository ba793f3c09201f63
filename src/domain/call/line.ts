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
}

export type LineKind = 'utterance' | 'keypad' | 'greeting' | 'reply' | 'tool_message' | 'transition_speech' | 'closing';
