import type { CarrierEvent, LegIds } from './carrier-event.ts';
import { answererOf, type Answerer } from './detection.ts';
import { hangupOutcome, type LegOutcome } from './hangup-causes.ts';

/**
 * A leg as its call knows it, from events that may arrive in any order and repeatedly.
 *
 * L1. `phase` never goes back: no event after the end changes it.
 * L2. Generations of streams only grow: events of an older stream say nothing about the newest one.
 */
export interface Leg {
  phase: 'new' | 'dialing' | 'ringing' | 'answered' | 'ended';
  /** The ids in the newest event; null before the carrier has named any. */
  ids: LegIds | null;
  /** When that event happened, ISO 8601. */
  idsAt: string;
  /** ISO 8601, by the carrier's clock. */
  answeredAt: string | null;
  endedAt: string | null;
  /** How it ended, in the carrier's words; null if it is live or the carrier did not say. */
  hangup: { cause: string; source: 'caller' | 'callee' | 'unknown' } | null;
  /** Who answered, in the carrier's words. */
  detection: string | null;
  /** How a machine's greeting ended, in the carrier's words; null before. */
  greetingEnd: string | null;
  /** True once the carrier's own voice has finished speaking. */
  hasSpoken: boolean;
  /** Highest generation whose stream began; 0 if none did. */
  streamBegan: number;
  /** Highest generation whose stream is over; 0 if none is. */
  streamEnded: number;
}

export const newLeg: Leg = {
  phase: 'new',
  ids: null,
  idsAt: '',
  answeredAt: null,
  endedAt: null,
  hangup: null,
  detection: null,
  greetingEnd: null,
  hasSpoken: false,
  streamBegan: 0,
  streamEnded: 0,
};

const order: readonly Leg['phase'][] = ['new', 'dialing', 'ringing', 'answered', 'ended'];

/** The leg after one of its events. */
export function hearCarrier(
  before: Leg,
  { occurredAt, leg: ids, what }: Pick<CarrierEvent, 'occurredAt' | 'leg' | 'what'>,
): Leg {
  const leg = named(before, ids, occurredAt);
  switch (what.kind) {
    case 'initiated':
      return reached(leg, 'dialing');
    case 'ringing':
      return reached(leg, 'ringing');
    case 'answered':
      return legAnswered(leg, occurredAt);
    case 'hangup': {
      if (leg.hangup !== null) return leg;
      const { cause, source, wasAnswered: isProof } = what;
      const ended = { ...reached(leg, 'ended'), endedAt: occurredAt, hangup: { cause, source } };
      return isProof === true ? legAnswered(ended, occurredAt) : ended;
    }
    case 'detection':
      return { ...legAnswered(leg, occurredAt), detection: leg.detection ?? what.result };
    case 'machine_greeting_ended':
      return { ...legAnswered(leg, occurredAt), greetingEnd: leg.greetingEnd ?? what.result };
    case 'stream_started':
      return { ...leg, streamBegan: Math.max(leg.streamBegan, what.generation ?? 0) };
    case 'stream_stopped':
    case 'stream_failed':
      return { ...leg, streamEnded: Math.max(leg.streamEnded, what.generation ?? 0) };
    case 'speak_ended':
      return { ...leg, hasSpoken: true };
    case 'bridged':
    case 'playback_ended':
    case 'dtmf':
      return leg;
  }
}

/** The leg after the carrier took its dial; events may have arrived before that. */
export function legDialed(leg: Leg, ids: LegIds): Leg {
  return reached(leg.ids === null ? { ...leg, ids } : leg, 'dialing');
}

/**
 * The leg after a proof that it was answered by then, in any order with other proofs and with its end. `at`:
 * ISO 8601.
 */
export function legAnswered(leg: Leg, at: string): Leg {
  const answeredAt = leg.answeredAt === null || at < leg.answeredAt ? at : leg.answeredAt;
  return { ...reached(leg, 'answered'), answeredAt };
}

/**
 * Who answered, as far as the carrier has said. Only a machine's greeting has an end, and it may be reported
 * alone; a recognized person's phone may still beep.
 */
export function answererOn({ detection, greetingEnd }: Leg): Answerer {
  // guarantee: beep-alone-is-a-machine
  if (detection === null) return greetingEnd === null || greetingEnd === 'not_sure' ? 'person' : 'machine';
  const { answerer, isSure } = answererOf(detection);
  return !isSure && greetingEnd === 'beep_detected' ? 'machine' : answerer;
}

/** The leg after the carrier reported it as gone, with an unknown cause. `at`: ISO 8601. */
export function legGone(leg: Leg, at: string): Leg {
  return leg.phase === 'ended' ? leg : { ...leg, phase: 'ended', endedAt: at };
}

export function wasAnswered({ answeredAt }: Leg): boolean {
  return answeredAt !== null;
}

/** True if the stream of that generation is over. */
export function isStreamOver(leg: Leg, generation: number): boolean {
  return leg.streamEnded >= generation;
}

/** The outcome of a call whose leg was not ended by this service (contract 8.4, 6.8). */
export function legOutcome(leg: Leg): LegOutcome & { isKnown: boolean } {
  return hangupOutcome({ cause: leg.hangup?.cause ?? 'unspecified', wasAnswered: wasAnswered(leg) });
}

function reached(leg: Leg, phase: Leg['phase']): Leg {
  return order.indexOf(phase) > order.indexOf(leg.phase) ? { ...leg, phase } : leg;
}

function named(leg: Leg, ids: LegIds, at: string): Leg {
  if (at < leg.idsAt) return leg;
  return {
    ...leg,
    ids: {
      callControlId: ids.callControlId,
      legId: ids.legId ?? leg.ids?.legId ?? null,
      sessionId: ids.sessionId ?? leg.ids?.sessionId ?? null,
    },
    idsAt: at,
  };
}
