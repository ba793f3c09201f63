import { validationRecord } from '../../../contract/lax/records.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { dayOf, type Day } from '../../../domain/usage/days.ts';

/** The day that a request names in `field`. Throws ValidationError for one that does not exist. */
export function requestedDay({
  date,
  zone,
  field = 'date',
}: {
  date: string;
  zone: string;
  field?: string;
}): Day {
  const day = dayOf({ date, zone });
  if (day !== null) return day;
  throw refusedDay({ date, field, fault: 'the date does not exist' });
}

/** The refusal of a day in the query. */
export function refusedDay({
  date,
  field,
  fault,
}: {
  date: string;
  field: string;
  fault: string;
}): ValidationError {
  const record = { type: 'value_error', msg: `Value error, ${fault}`, input: date, ctx: { error: {} } };
  return new ValidationError(`${fault.charAt(0).toUpperCase()}${fault.slice(1)}`, {
    detail: [validationRecord(['query', field], record)],
  });
}
