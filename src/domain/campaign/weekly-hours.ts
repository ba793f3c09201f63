const minutesPerDay = 24 * 60;

/**
 * Hours of a week by the clock on the wall: minutes since Monday 00:00, `from` within, `until` not. Sorted,
 * and no two touch.
 */
export interface WeeklyHours {
  ranges: readonly { from: number; until: number }[];
}

/** A slot as people write it: days from 0 = Monday, `HH:MM` (contract 11.5). */
export interface Slot {
  day: number;
  start: string;
  end: string;
}

/**
 * Slots that touch or overlap become one range; one that ends before it begins is none. `24:00` is the end of
 * the day.
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
