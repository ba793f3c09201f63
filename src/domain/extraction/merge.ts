import type { ExtractionPoint, ExtractionRequest } from '../call/turn.ts';
import { isLive, type Checkpoint } from '../call/checkpoint.ts';
import type { ExtractedValue, ExtractedValues } from './answer.ts';

/** The values of one extraction, with its place in the conversation. Plain JSON. */
export interface ExtractionResult extends ExtractionRequest {
  values: ExtractedValues;
}

const pointRank = { entry: 0, leave: 1, end: 2 } satisfies Record<ExtractionPoint, number>;

/**
 * Merges the results of all extractions into one object (contract 8.2).
 * - The order is that of the conversation, never of arrival: visit index, then entry < leave < end.
 * - A later value that is not empty overwrites an earlier one, also of another node and another type.
 * - An empty value (null, blank text) never erases a known one.
 * - A requested name that was never determined stays, with null.
 * - Names are in the order of their first request.
 *
 * Callers must leave out results of rewound branches first (`liveResults`).
 */
export function mergeExtractions(results: readonly ExtractionResult[]): ExtractedValues {
  const merged = new Map<string, ExtractedValue>();
  for (const { values } of results.toSorted(byConversation)) {
    for (const [name, value] of Object.entries(values)) {
      if (!isEmpty(value) || !merged.has(name)) merged.set(name, isEmpty(value) ? null : value);
    }
  }
  return Object.fromEntries(merged);
}

/** The results, or failed extractions, that are still live after rewinds. */
export function liveResults<Result extends ExtractionRequest>(
  checkpoint: Checkpoint,
  results: readonly Result[],
): Result[] {
  return results.filter((result) => isLive(checkpoint, result));
}

function isEmpty(value: ExtractedValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function byConversation(left: ExtractionResult, right: ExtractionResult): number {
  return (
    left.visitIndex - right.visitIndex ||
    pointRank[left.point] - pointRank[right.point] ||
    left.throughTurnIndex - right.throughTurnIndex ||
    left.throughLine - right.throughLine
  );
}
