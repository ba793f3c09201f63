const dayMs = 86_400_000;

/** The day of a moment in a time zone, as `2026-11-23`; `back` days before. */
export function dayOf(now: Date, timeZone: string, back = 0): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  return back === 0 ? day : dayAfter(day, -back);
}

/** The day `days` after `day`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The first moment of a day such as `2026-11-23` in a time zone, also where clocks change at midnight. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // By the zone's offset the day before or after. One of the two is right; the other may even be of another day.
  const [first, second] = [midnight - dayMs, midnight + dayMs]
    .map((near) => midnight - offsetMs(near, timeZone))
    .toSorted((one, other) => one - other)
    .map((at) => new Date(at));
  return first !== undefined && dayOf(first, timeZone) === day ? first : (second ?? new Date(midnight));
}

/** How far the clocks of a time zone are ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    at,
  );
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
