import { isYes } from '../campaign/call-outcome.ts';
import { own, type JsonObject } from '../graph/definition.ts';

/**
 * Reasons to stop all dialing of a person's number. They are also the names of the values that are extracted
 * or set by a tool.
 */
export const optOuts = ['do_not_call', 'wrong_number'] as const;

export type OptOut = (typeof optOuts)[number];

/**
 * The opt-out in these values of a call, `do_not_call` before `wrong_number`; null when there is none. True,
 * 1 and words for yes count.
 */
export function optOutOf(values: JsonObject): OptOut | null {
  return optOuts.find((name) => isYes(own(values, name))) ?? null;
}

/** The values of an ended call: an opt-out that a tool set stays, even if an extraction says otherwise. */
export function keepOptOuts(noted: JsonObject, gathered: Record<string, unknown>): Record<string, unknown> {
  const kept = optOuts.filter((name) => own(noted, name) === true);
  return kept.length === 0
    ? gathered
    : { ...gathered, ...Object.fromEntries(kept.map((name) => [name, true])) };
}
