/**
 * What a person who follows a spoken call asks of it (contract 6.12). It is carried out between two steps of the
 * conversation; the step that runs is broken off for it. A note alone breaks nothing off.
 */
export type Intervention =
  /** Ends the call: at once, or after a goodbye. */
  | { kind: 'hang_up'; politely: boolean }
  /** The agent says this line now, in its own voice. */
  | { kind: 'say'; text: string }
  /** A note for the model, which counts until the conversation leaves its node. */
  | { kind: 'whisper'; text: string }
  /** The conversation goes on at this node. */
  | { kind: 'goto'; nodeId: string }
  /** The caller is joined to a destination, which is kept with the request of this id. */
  | { kind: 'transfer'; requestId: string; timeoutSeconds: number }
  /** The agent stays silent and keeps listening. */
  | { kind: 'pause' }
  | { kind: 'resume' };

/** A note for the model. It counts during this visit of a node. */
export interface Note {
  visitIndex: number;
  text: string;
}
