import { validationRecord } from '../../../contract/lax/records.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { dayOf, type Day } from '../../../domain/usage/days.ts';

/** The day that a request names. Throws ValidationError for one that does not exist. */
export function requestedDay({ date, zone }: { date: string; zone: string }): Day {
  const day = dayOf({ date, zone });
  if (day !== null) return day;
  const msg = 'Value error, the date does not exist';
  const fault = { type: 'value_error', msg, input: date, ctx: { error: {} } };
  throw new ValidationError('The date does not exist', {
    detail: [validationRecord(['query', 'date'], fault)],
  });
}
