/**
 * What a carrier reports about a leg (contract 12.4), without personal data: this goes through Temporal's
 * histories. What is about a person stays with the stored event in MySQL.
 */
export interface CarrierEvent {
  /** The carrier's id of the event: the same id is the same event, however often it comes. */
  eventId: string;
  /** When it happened, ISO 8601; events come in any order. */
  occurredAt: string;
  leg: LegIds;
  /** Which leg of the call: the caller's own, or the one that a transfer dials. */
  role: 'main' | 'transfer';
  what: CarrierNews;
}

/**
 * The carrier's ids of a leg. The newest `callControlId` is the one to command by: it may change when a leg
 * is routed elsewhere.
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
  /** `cause` is one of `src/domain/telephony/hangup-causes.ts`, or the carrier's own word for an unknown one. */
  | { kind: 'hangup'; cause: string; source: 'caller' | 'callee' | 'unknown' }
  /** Answering machine detection, any form: `human`, `machine`, `fax` … as the carrier words it. */
  | { kind: 'detection'; result: string }
  | { kind: 'machine_greeting_ended'; result: string }
  | { kind: 'stream_started'; generation: number | null }
  | { kind: 'stream_stopped'; generation: number | null }
  | { kind: 'stream_failed'; generation: number | null; reason: string }
  | { kind: 'speak_ended' }
  | { kind: 'playback_ended' }
  | { kind: 'dtmf'; digit: string };
