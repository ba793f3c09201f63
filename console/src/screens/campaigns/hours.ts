/** Calling hours of a week, as the form shows them: minutes of each day, days from Monday. */

export interface Range {
  from: number;
  to: number;
}
export type Week = readonly (readonly Range[])[];

export interface Slot {
  day_of_week: number;
  start_time: string;
  end_time: string;
}

const dayMinutes = 1440;

/** Minutes of a day: `9`, `9:30`, `09:30`; `24:00` is its end. Null if it is not a time. */
export function readTime(text: string): number | null {
  const [, hours = '', minutes = '0'] = /^\s*(\d{1,2})(?::([0-5]\d))?\s*$/.exec(text) ?? [];
  if (hours === '') return null;
  const all = Number(hours) * 60 + Number(minutes);
  return all > dayMinutes ? null : all;
}

const two = (value: number): string => String(value).padStart(2, '0');
/** `HH:MM`. */
export const timeText = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

/** Ranges that touch or overlap become one. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) all.push({ from, to });
  }
  return all;
}

export const weekOf = (slots: readonly Slot[]): Week =>
  Array.from({ length: 7 }, (_, day) =>
    joined(
      slots
        .filter(({ day_of_week: each }) => each === day)
        .map(({ start_time: start, end_time: end }) => ({
          from: readTime(start) ?? 0,
          to: readTime(end) ?? 0,
        })),
    ),
  );

export const slotsOf = (week: Week): Slot[] =>
  week.flatMap((ranges, day) =>
    ranges.map(({ from, to }) => ({ day_of_week: day, start_time: timeText(from), end_time: timeText(to) })),
  );

/** The same range on some days, none on the others. */
export const sameOn = (days: readonly number[], range: Range): Week =>
  Array.from({ length: 7 }, (_, day) => (days.includes(day) ? [range] : []));

/** A week with another day. */
export const withDay = (week: Week, day: number, ranges: readonly Range[]): Week =>
  week.map((before, index) => (index === day ? ranges : before));

/** A day with a stretch opened or closed, as by dragging. */
export const painted = (ranges: readonly Range[], stretch: Range, isOpen: boolean): readonly Range[] =>
  isOpen
    ? joined([...ranges, stretch])
    : ranges.flatMap(({ from, to }) =>
        [
          { from, to: Math.min(to, stretch.from) },
          { from: Math.max(from, stretch.to), to },
        ].filter((each) => each.from < each.to),
      );

export interface Days {
  first: number;
  last: number;
  ranges: readonly Range[];
}

/** Days that follow each other with the same hours, without closed ones: `Mon–Fri 9–20`. */
export function groupsOf(week: Week): readonly Days[] {
  const groups: Days[] = [];
  for (const [day, ranges] of week.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && last.last === day - 1 && JSON.stringify(last.ranges) === JSON.stringify(ranges))
      last.last = day;
    else if (ranges.length > 0) groups.push({ first: day, last: day, ranges });
  }
  return groups;
}

export const openMinutes = (week: Week): number =>
  week.flat().reduce((sum, { from, to }) => sum + to - from, 0);
