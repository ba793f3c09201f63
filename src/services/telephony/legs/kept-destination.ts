import { isObject, ownText } from '../../../domain/graph/definition.ts';
import type { TransferFailure } from '../../../domain/telephony/transfer-result.ts';

/** A resolved destination as the tool's run stores it, in JSON; the dial reads it from there. */
export interface KeptDestination {
  destination: string;
  custom_message: string | null;
}

export type FoundDestination =
  | { kind: 'found'; kept: KeptDestination }
  | { kind: 'failed'; reason: TransferFailure };

/** Reads the destination that an earlier attempt stored. */
export function readKept(result: string): FoundDestination {
  const kept = parsed(result);
  const destination = isObject(kept) ? ownText(kept, 'destination') : null;
  if (!isObject(kept) || destination == null) return { kind: 'failed', reason: 'no_destination' };
  return { kind: 'found', kept: { destination, custom_message: ownText(kept, 'custom_message') ?? null } };
}

/** Parses JSON; null for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the customer's endpoint may answer anything
  }
}

/** The stored destination; null if there is none. */
export function keptDestination(result: string | null): string | null {
  const found = result === null ? null : readKept(result);
  return found?.kind === 'found' ? found.kept.destination : null;
}
