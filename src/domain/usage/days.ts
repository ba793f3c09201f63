import moment from 'moment-timezone';

/** A calendar day as a range of time; it has 23 or 25 hours when clocks change. */
export interface Day {
  /** `2026-11-21`. */
  date: string;
  /** Start of the day, inclusive. */
  from: Date;
  /** End of the day, exclusive; equal to `from` for a day that a time zone skipped. */
  until: Date;
}

const form = 'YYYY-MM-DD';

/** A day in an IANA time zone; null for a date that does not exist, such as the 30th of February. */
export function dayOf({ date, zone }: { date: string; zone: string }): Day | null {
  const calendarDay = moment.utc(date, form, true);
  if (!calendarDay.isValid()) return null;
  return {
    date,
    from: beginning(date, zone),
    until: beginning(calendarDay.add(1, 'day').format(form), zone),
  };
}

/** The days from the first to the last date in a time zone, oldest first; none if the last is before the first. */
export function daysBetween({ from, to, zone }: { from: string; to: string; zone: string }): Day[] {
  const first = moment.utc(from, form, true);
  const count = moment.utc(to, form, true).diff(first, 'days') + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    dayAt(first.clone().add(index, 'days'), zone),
  );
}

/** The last days in a time zone, oldest first; today is the last one. */
export function lastDays({ now, zone, count }: { now: Date; zone: string; count: number }): Day[] {
  const today = moment.utc(moment.tz(now, zone).format(form), form);
  const dates = Array.from({ length: count }, (_, index) =>
    today.clone().subtract(count - 1 - index, 'days'),
  );
  return dates.map((each) => dayAt(each, zone));
}

const dayAt = (date: moment.Moment, zone: string): Day => ({
  date: date.format(form),
  // guarantee: day-follows-organization-time-zone
  from: beginning(date.format(form), zone),
  until: beginning(date.clone().add(1, 'day').format(form), zone),
});

/** The current calendar month in a time zone. */
export function monthOf({ now, zone }: { now: Date; zone: string }): Pick<Day, 'from' | 'until'> {
  const first = moment.utc(moment.tz(now, zone).format('YYYY-MM'), 'YYYY-MM');
  return {
    from: beginning(first.format(form), zone),
    until: beginning(first.clone().add(1, 'month').format(form), zone),
  };
}

/** When clocks skip midnight, the day begins right after the gap. */
function beginning(date: string, zone: string): Date {
  return moment.tz(date, form, zone).startOf('day').toDate();
}
