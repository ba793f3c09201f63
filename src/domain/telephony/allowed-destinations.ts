import type { JsonObject } from '../graph/definition.ts';
import { allowedDestinations } from '../graph/graph-tools.ts';
import type { ChosenBy } from './transfer-destination.ts';

/**
 * True if a transfer may go to this destination (contract 12.7). One that the maker of the tool wrote out is
 * allowed. One that the conversation chose must be on the tool's list. One from initial_context must be on it
 * if there is a list. `destination` is as `readDestination` returns it.
 */
export function isAllowed(
  { destination, by }: { destination: string; by: ChosenBy },
  config: JsonObject,
): boolean {
  const patterns = allowedDestinations(config);
  if (by === 'maker' || (by === 'context' && patterns.length === 0)) return true;
  return patterns.some((pattern) => toExpression(pattern).test(destination));
}

/** `*` stands for digits, or for the characters of a plain SIP user: no `@`, parameter or escape. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`[\w.+-]*`)}$`, 'i');
}
