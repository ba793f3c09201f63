import { startOfDay } from '../../app/days.ts';
import { ownZone } from '../../app/zone.ts';
import { type Filter, rangeOfFilters, withFilter } from './filters.ts';

const noonMs = 43_200_000;

/** A range of days by their index, both ends included. */
export interface DayRange {
  first: number;
  last: number;
}

/** The days that the filters choose of those that are shown. Null if the filters name no day, or none of these. */
export function chosenDays(
  filters: readonly Filter[],
  days: readonly string[],
  now: Date,
  zone = ownZone,
): DayRange | null {
  const range = rangeOfFilters(filters, now, zone);
  if (range === null) return null;
  const [from, to] = [range.from?.getTime() ?? -Infinity, range.to?.getTime() ?? Infinity];
  const indices = days.flatMap((day, index) => {
    const noon = startOfDay(day, zone).getTime() + noonMs;
    return noon >= from && noon <= to ? [index] : [];
  });
  const [first, last] = [indices[0], indices.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}

/** The filters without a date. */
export const withoutDays = (filters: readonly Filter[]): Filter[] =>
  filters.filter(({ field }) => field !== 'date' && field !== 'after' && field !== 'before');

/** The filters with these days as their date. A range up to today stays open, so that calls to come are in it. */
export function withDays(filters: readonly Filter[], days: readonly string[], range: DayRange): Filter[] {
  const others = withoutDays(filters);
  const [first, last, next] = [days[range.first], days[range.last], days[range.last + 1]];
  if (first === undefined || last === undefined) return others;
  if (first === last) return withFilter(others, { field: 'date', value: first });
  const since = withFilter(others, { field: 'after', value: first });
  return next === undefined ? since : withFilter(since, { field: 'before', value: next });
}

/** The day at a share of the width, 0 to 1; outside of it, the nearest. */
export const dayAt = (share: number, count: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor(share * count)));

/** The days between two, in whichever order they were named. */
export const between = (one: number, other: number): DayRange => ({
  first: Math.min(one, other),
  last: Math.max(one, other),
});

/** The range with one of its ends moved; an end that passes the other one takes it along. */
export function withEnd(range: DayRange, end: 'first' | 'last', index: number): DayRange {
  return end === 'first'
    ? { first: index, last: Math.max(index, range.last) }
    : { first: Math.min(index, range.first), last: index };
}
