import { isObject, ownText } from '../../../domain/graph/definition.ts';
import type { TransferFailure } from '../../../domain/telephony/transfer-result.ts';

/** What is kept of a resolution, as JSON, with the tool's run: whoever dials reads it there. */
export interface KeptDestination {
  destination: string;
  custom_message: string | null;
}

export type FoundDestination =
  | { kind: 'found'; kept: KeptDestination }
  | { kind: 'failed'; reason: TransferFailure };

/** What an earlier attempt kept. */
export function readKept(result: string): FoundDestination {
  const kept = parsed(result);
  const destination = isObject(kept) ? ownText(kept, 'destination') : null;
  if (!isObject(kept) || destination == null) return { kind: 'failed', reason: 'no_destination' };
  return { kind: 'found', kept: { destination, custom_message: ownText(kept, 'custom_message') ?? null } };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // anything may be answered
  }
}

/** The destination that was kept; null when there is none. */
export function keptDestination(result: string | null): string | null {
  const found = result === null ? null : readKept(result);
  return found?.kind === 'found' ? found.kept.destination : null;
}
