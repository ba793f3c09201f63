const minutesPerDay = 24 * 60;

/**
 * Hours of a week in local time: minutes since Monday 00:00, including `from` and excluding `until`. Sorted,
 * with gaps between them.
 */
export interface WeeklyHours {
  ranges: readonly { from: number; until: number }[];
}

/** A slot as clients write it: days from 0 = Monday, `HH:MM` (contract 11.5). */
export interface Slot {
  day: number;
  start: string;
  end: string;
}

/**
 * The hours of slots. Slots that touch or overlap become one range; a slot that ends before it begins is
 * ignored. `24:00` is the end of the day.
 */
export function weeklyHours(slots: readonly Slot[]): WeeklyHours {
  const ranges: { from: number; until: number }[] = [];
  for (const next of slots
    .map(rangeOf)
    .filter(({ from, until }) => from < until)
    .toSorted((one, other) => one.from - other.from)) {
    const last = ranges.at(-1);
    if (last === undefined || last.until < next.from) ranges.push(next);
    else last.until = Math.max(last.until, next.until);
  }
  return { ranges };
}

function rangeOf({ day, start, end }: Slot): { from: number; until: number } {
  return { from: day * minutesPerDay + minuteOf(start), until: day * minutesPerDay + minuteOf(end) };
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return Math.min(minutesPerDay, hours * 60 + minutes);
}
