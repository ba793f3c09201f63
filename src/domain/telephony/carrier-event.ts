/**
 * What a carrier reports about a leg (contract 12.4), without personal data, because Workflow histories
 * contain it. Personal data stays with the stored event in MySQL.
 */
export interface CarrierEvent {
  /** The carrier's id of the event; a repeated event has the same id. */
  eventId: string;
  /** When it happened, ISO 8601; events may arrive in any order. */
  occurredAt: string;
  leg: LegIds;
  /** The leg of the call: its own, or one that a transfer dials. */
  role: 'main' | 'transfer';
  what: CarrierNews;
}

/**
 * The carrier's ids of a leg. Commands need the newest `callControlId`, which may change when a leg is routed
 * elsewhere.
 */
export interface LegIds {
  callControlId: string;
  legId: string | null;
  sessionId: string | null;
}

export type CarrierNews =
  | { kind: 'initiated' }
  | { kind: 'ringing' }
  | { kind: 'answered' }
  | { kind: 'bridged' }
  /**
   * `cause` is one of `src/domain/telephony/hangup-causes.ts`, or the carrier's own word for an unknown one.
   */
  | {
      kind: 'hangup';
      cause: string;
      source: 'caller' | 'callee' | 'unknown';
      /** The event proves that the leg was answered; absent = it says nothing about that. */
      wasAnswered?: true;
    }
  /** The result of answering machine detection in the carrier's words: `human`, `machine`, `fax` … */
  | { kind: 'detection'; result: string }
  | { kind: 'machine_greeting_ended'; result: string }
  | { kind: 'stream_started'; generation: number | null }
  | { kind: 'stream_stopped'; generation: number | null }
  | { kind: 'stream_failed'; generation: number | null; reason: string }
  | { kind: 'speak_ended' }
  | { kind: 'playback_ended' }
  | { kind: 'dtmf'; digit: string };
