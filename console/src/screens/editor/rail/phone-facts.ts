import { isObject, ownList, ownText } from '../../../../../src/domain/graph/definition.ts';
import { tagsOf } from '../../call/facts.ts';

/** Whether a text can be dialed: a number with its country code, however it is spaced. */
export const isDialable = (number: string): boolean =>
  /^\+?[1-9]\d{6,14}$/.test(number.replaceAll(/[\s().-]/g, ''));

/** Why a call did not reach the phone. Null while it goes on, and if somebody or something answered. */
export function missedBecause(run: {
  is_completed: boolean;
  disposition: string | null;
  gathered_context: Readonly<Record<string, unknown>> | null;
}): 'busy' | 'noAnswer' | 'other' | null {
  if (!run.is_completed || !tagsOf(run).includes('not_connected')) return null;
  if (run.disposition === 'busy') return 'busy';
  return run.disposition === 'no-answer' ? 'noAnswer' : 'other';
}

/** What the API has against the number, read from the `detail` of its refusal: that it is blocked, or how it is written. */
export function refusedNumber(detail: unknown): 'blocked' | 'form' | null {
  const fault = (Array.isArray(detail) ? detail : [])
    .filter(isObject)
    .find((each) => ownList(each, 'loc').at(-1) === 'phone_number');
  if (fault === undefined) return null;
  return ownText(fault, 'type') === 'value_error' ? 'blocked' : 'form';
}
