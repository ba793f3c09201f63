import moment from 'moment-timezone';

/** A day of a calendar, as moments; it has 23 or 25 hours where clocks change. */
export interface Day {
  /** `2026-11-21`. */
  date: string;
  /** First moment that is in it. */
  from: Date;
  /** First moment that is not; the same as `from` for a day that a zone left out. */
  until: Date;
}

const form = 'YYYY-MM-DD';

/** That day in an IANA zone; null for a date that no calendar has, such as the 30th of February. */
export function dayOf({ date, zone }: { date: string; zone: string }): Day | null {
  const calendarDay = moment.utc(date, form, true);
  if (!calendarDay.isValid()) return null;
  return {
    date,
    from: beginning(date, zone),
    until: beginning(calendarDay.add(1, 'day').format(form), zone),
  };
}

/** The last days in a zone, oldest first, today being the last one. */
export function lastDays({ now, zone, count }: { now: Date; zone: string; count: number }): Day[] {
  const today = moment.utc(moment.tz(now, zone).format(form), form);
  const dates = Array.from({ length: count }, (_, index) =>
    today.clone().subtract(count - 1 - index, 'days'),
  );
  return dates.map((each) => ({
    date: each.format(form),
    // guarantee: day-one-organization-s
    from: beginning(each.format(form), zone),
    until: beginning(each.clone().add(1, 'day').format(form), zone),
  }));
}

/** The calendar month that goes on in a zone. */
export function monthOf({ now, zone }: { now: Date; zone: string }): Pick<Day, 'from' | 'until'> {
  const first = moment.utc(moment.tz(now, zone).format('YYYY-MM'), 'YYYY-MM');
  return {
    from: beginning(first.format(form), zone),
    until: beginning(first.clone().add(1, 'month').format(form), zone),
  };
}

/** Where clocks go over midnight the day begins with the first moment after it. */
function beginning(date: string, zone: string): Date {
  return moment.tz(date, form, zone).startOf('day').toDate();
}
