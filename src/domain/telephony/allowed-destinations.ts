import { destinationPattern } from '../../contract/data/destination-patterns.ts';
import { ownList, type JsonObject } from '../graph/definition.ts';
import { isChosenByConversation, type ChosenBy } from './transfer-destination.ts';

/**
 * True if a transfer may go to this destination (contract 12.7). One that the maker of the tool wrote out is
 * allowed. One that the conversation chose must be on the tool's list. One from initial_context must be on it
 * if there is a list. `destination` is as `readDestination` returns it.
 */
export function isAllowed(
  { destination, by }: { destination: string; by: ChosenBy },
  config: JsonObject,
): boolean {
  const patterns = listed(config);
  if (by === 'maker' || (by === 'context' && patterns.length === 0)) return true;
  return patterns.some((pattern) => toExpression(pattern).test(destination));
}

/** True if the conversation chooses the destination, and the tool does not say which ones are allowed. */
export function lacksAllowedDestinations(config: JsonObject): boolean {
  return listed(config).length === 0 && isChosenByConversation(config);
}

function listed(config: JsonObject): string[] {
  return ownList(config, 'allowed_destinations').filter(
    (each): each is string => typeof each === 'string' && destinationPattern.test(each),
  );
}

/** `*` stands for digits, or for the characters of a plain SIP user: no `@`, parameter or escape. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`[\w.+-]*`)}$`, 'i');
}
