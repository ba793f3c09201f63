import { describe, expect, test } from '@jest/globals';
import { formatFilters, minuteText, parseFilters } from '../../../console/src/screens/calls/filters.ts';
import {
  between,
  chosenDays,
  dayAt,
  withDays,
  withEnd,
  withoutDays,
} from '../../../console/src/screens/calls/volume.ts';

const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
const now = new Date(2026, 10, 23, 15, 30);
const minute = (day: number, hour: number) => minuteText(new Date(2026, 10, day, hour));
const read = (text: string) => parseFilters(text).filters;
const chosen = (text: string) => chosenDays(read(text), days, now);
const selecting = (text: string, first: number, last: number) =>
  formatFilters(withDays(read(text), days, { first, last }));

describe('the days of the list of calls', () => {
  test.each([
    ['channel:phone', null],
    ['date:today', { first: 4, last: 4 }],
    ['date:7d', { first: 0, last: 4 }],
    ['date:2026-11-20', { first: 1, last: 1 }],
    ['after:2026-11-21', { first: 2, last: 4 }],
    ['after:2026-11-20 before:2026-11-22', { first: 1, last: 2 }],
    ['before:2026-11-20', { first: 0, last: 0 }],
    ['date:2026-09-01', null],
    [`after:${minute(20, 14)} before:${minute(20, 15)}`, { first: 1, last: 1 }],
    [`after:${minute(20, 23)} before:${minute(21, 1)}`, { first: 1, last: 2 }],
    [`after:${minute(20, 23)} before:2026-11-21`, { first: 1, last: 1 }],
  ])('%s shows its days as chosen', (text, range) => {
    expect(chosen(text)).toEqual(range);
  });

  test('days become filters beside the others, in place of earlier dates, and read back as the same days', () => {
    expect(selecting('channel:phone date:7d', 1, 2)).toBe('channel:phone after:2026-11-20 before:2026-11-22');
    expect(selecting('after:2026-11-20 before:2026-11-22', 3, 3)).toBe('date:2026-11-22');
    for (const first of days.keys())
      for (let last = first; last < days.length; last += 1)
        expect(chosen(selecting('', first, last))).toEqual({ first, last });
  });

  test('days up to today stay open, so that the next call is among them', () => {
    expect(selecting('before:2026-11-20', 2, 4)).toBe('after:2026-11-21');
  });

  test('without days, the other filters stay', () => {
    expect(formatFilters(withoutDays(read('channel:phone after:2026-11-20 before:2026-11-22')))).toBe(
      'channel:phone',
    );
  });

  test.each([
    [-0.2, 0],
    [0, 0],
    [0.199, 0],
    [0.2, 1],
    [1, 4],
    [1.5, 4],
  ])('the share %d of the width is the day %d of five', (share, index) => {
    expect(dayAt(share, 5)).toBe(index);
  });

  test('a drag chooses the same days in both directions', () => {
    expect(between(3, 1)).toEqual(between(1, 3));
    expect(between(1, 3)).toEqual({ first: 1, last: 3 });
  });

  test('an end that passes the other one takes it along', () => {
    expect(withEnd({ first: 1, last: 2 }, 'first', 4)).toEqual({ first: 4, last: 4 });
    expect(withEnd({ first: 1, last: 2 }, 'last', 0)).toEqual({ first: 0, last: 0 });
    expect(withEnd({ first: 1, last: 2 }, 'last', 4)).toEqual({ first: 1, last: 4 });
  });
});
