import type { CarrierEvent, LegIds } from './carrier-event.ts';
import { hangupOutcome, type LegOutcome } from './hangup-causes.ts';

/**
 * A leg as its call knows it, from events that come in any order and repeatedly.
 *
 * L1. `phase` never goes back: what comes after the end changes nothing about it.
 * L2. Generations of streams only grow: what an older stream does says nothing about the newest one.
 */
export interface Leg {
  phase: 'new' | 'dialing' | 'ringing' | 'answered' | 'ended';
  /** Of the newest event that named them; null while the carrier has named none. */
  ids: LegIds | null;
  /** When that event happened, ISO 8601. */
  idsAt: string;
  /** ISO 8601, by the carrier's clock. */
  answeredAt: string | null;
  endedAt: string | null;
  /** How it ended, in the carrier's words; null while it lives, and when nobody said. */
  hangup: { cause: string; source: 'caller' | 'callee' | 'unknown' } | null;
  /** Who answered, in the carrier's words. */
  detection: string | null;
  hasGreetingEnded: boolean;
  /** The carrier's own voice has spoken to the end. */
  hasSpoken: boolean;
  /** Highest generation whose stream began; 0 = none. */
  streamBegan: number;
  /** Highest generation whose stream is over; 0 = none. */
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
  hasGreetingEnded: false,
  hasSpoken: false,
  streamBegan: 0,
  streamEnded: 0,
};

const order: readonly Leg['phase'][] = ['new', 'dialing', 'ringing', 'answered', 'ended'];

/** The leg after an event of it. */
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
      // One that was overtaken by the end still says that somebody had answered.
      return { ...reached(leg, 'answered'), answeredAt: leg.answeredAt ?? occurredAt };
    case 'hangup':
      return leg.hangup === null
        ? {
            ...reached(leg, 'ended'),
            endedAt: occurredAt,
            hangup: { cause: what.cause, source: what.source },
          }
        : leg;
    case 'detection':
      return { ...leg, detection: leg.detection ?? what.result };
    case 'machine_greeting_ended':
      return { ...leg, hasGreetingEnded: true };
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

/** The carrier took the command; its events may have been faster. */
export function legDialed(leg: Leg, ids: LegIds): Leg {
  return reached(leg.ids === null ? { ...leg, ids } : leg, 'dialing');
}

/** Somebody looked and the leg was gone: nobody knows how it ended. `at`: ISO 8601. */
export function legGone(leg: Leg, at: string): Leg {
  return leg.phase === 'ended' ? leg : { ...leg, phase: 'ended', endedAt: at };
}

export function wasAnswered({ answeredAt }: Leg): boolean {
  return answeredAt !== null;
}

/** True when the stream of that host is over: the newest stream, and not one before it. */
export function isStreamOver(leg: Leg, generation: number): boolean {
  return leg.streamEnded >= generation;
}

/** What the end of a leg makes of its call, when nothing on our side ended it (contract 8.4, 6.8). */
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
