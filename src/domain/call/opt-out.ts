import { isYes } from '../campaign/call-outcome.ts';
import { own, type JsonObject } from '../graph/definition.ts';

/**
 * What a person may want of us that ends all dialing of their number. The names are those of values:
 * extracted, or noted by a tool.
 */
export const optOuts = ['do_not_call', 'wrong_number'] as const;

export type OptOut = (typeof optOuts)[number];

/**
 * What these values of a call say, `do_not_call` before `wrong_number`; null = neither. Yes is true, 1, or a
 * word for it.
 */
export function optOutOf(values: JsonObject): OptOut | null {
  return optOuts.find((name) => isYes(own(values, name))) ?? null;
}

/** The values of an ended call: what a tool noted stays, whatever was extracted afterwards. */
export function keepOptOuts(noted: JsonObject, gathered: Record<string, unknown>): Record<string, unknown> {
  const kept = optOuts.filter((name) => own(noted, name) === true);
  return kept.length === 0
    ? gathered
    : { ...gathered, ...Object.fromEntries(kept.map((name) => [name, true])) };
}
