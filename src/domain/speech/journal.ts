import type { LineKind } from '../call/line.ts';

/**
 * What a media host records while it says a step, so that another host can continue the step
 * (docs/architecture.md, A phone call). Fillers and recovery lines belong to no reply and are never said
 * again.
 */
export type JournalEntry = JournaledClause | JournaledDecision | JournaledUtterance;

export interface JournaledClause {
  kind: 'clause';
  position: number;
  text: string;
  lineKind: LineKind;
  isFiller: boolean;
  /** A recording that is played instead of spoken words. */
  recordingId: string | null;
  /** ISO 8601: when its first frame was sent; null before. */
  sentAt: string | null;
  /** ISO 8601: when it was played to its end or cut off. */
  playedAt: string | null;
  /** The part that the caller heard before it was cut off; null when it was not. */
  heardText: string | null;
}

/**
 * The model's decision, when the words of the step are complete. Without edges and tools that an interruption
 * made void.
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
 * The first position of a step. Each step at one place of a turn (such as a check-in after a reply) has its
 * own positions.
 */
export function firstPosition(pendingLines: number): number {
  return pendingLines * positionsPerStep;
}

export const positionsPerStep = 1000;
