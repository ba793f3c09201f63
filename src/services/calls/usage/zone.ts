import { validationRecord } from '../../../contract/lax/records.ts';
import { findRow } from '../../../db/rows.ts';
import { organizationPreferences } from '../../../db/tables/organization-preferences.ts';
import { ValidationError } from '../../../domain/errors.ts';
import { isZone } from '../../../domain/template/time.ts';
import { dayOf, type Day } from '../../../domain/usage/days.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** The time zone by whose days an organization counts; UTC until it chooses one (contract 13.3). */
export async function zoneOf({
  db,
  organizationId,
}: Pick<ServiceContext, 'db' | 'organizationId'>): Promise<string> {
  const preferences = await findRow(db, organizationPreferences, { organizationId });
  return preferences?.timezone ?? 'UTC';
}

/**
 * The day that a request names, in the request's time zone or the organization's. Throws ValidationError for
 * an invalid day or an unknown time zone.
 */
export async function requestedDay(
  ctx: ServiceContext,
  { date, zone }: { date: string; zone: string | undefined },
): Promise<{ day: Day; zone: string }> {
  if (zone !== undefined && !isZone(zone)) throw fault('timezone', zone, 'the time zone is not known');
  const own = zone ?? (await zoneOf(ctx));
  const day = dayOf({ date, zone: own });
  if (day === null) throw fault('date', date, 'the date does not exist');
  return { day, zone: own };
}

function fault(field: string, input: string, words: string): ValidationError {
  return new ValidationError(words, {
    detail: [
      validationRecord(['query', field], {
        type: 'value_error',
        msg: `Value error, ${words}`,
        input,
        ctx: { error: {} },
      }),
    ],
  });
}
