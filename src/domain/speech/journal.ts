import type { LineKind } from '../call/line.ts';

/**
 * What a media host writes down while it says a step, so that another one can go on with it
 * (docs/architecture.md, A phone call). An *aside* is what belongs to no reply: a filler, a recovery line.
 * It is never said again.
 */
export type JournalEntry = JournaledClause | JournaledDecision | JournaledUtterance;

export interface JournaledClause {
  kind: 'clause';
  position: number;
  text: string;
  lineKind: LineKind;
  isFiller: boolean;
  /** A recording instead of words made by the model or written by the agent's maker. */
  recordingId: string | null;
  /** ISO 8601: its first frame went out; null before. */
  sentAt: string | null;
  /** It has been played to its end, or was cut off. */
  playedAt: string | null;
  /** What of it was heard when it was cut off; null when it was not. */
  heardText: string | null;
}

/**
 * Nothing will be added to the step: what the model decided. Edges and tools that a barge-in made void are
 * not in it.
 */
export interface JournaledDecision {
  kind: 'decision';
  position: number;
  data: Record<string, unknown>;
}

export interface JournaledUtterance {
  kind: 'utterance';
  position: number;
  text: string;
  startedAt: string;
  endedAt: string;
}

/**
 * Positions of a step begin here, so that steps at one place of a turn (a check-in after a reply) are apart.
 */
export function firstPosition(pendingLines: number): number {
  return pendingLines * positionsPerStep;
}

export const positionsPerStep = 1000;
