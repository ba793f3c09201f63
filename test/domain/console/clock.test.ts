import { expect, test } from '@jest/globals';
import { lackAfter } from '../../../console/src/app/clock.ts';

const hourMs = 3_600_000;
/** An answer of 12:00:00 that takes 200 ms, seen by a clock that is so far ahead. */
const exchange = (aheadMs: number, date: string | null = 'Wed, 25 Nov 2026 12:00:00 GMT') => {
  const sentMs = Date.parse('2026-11-25T12:00:00.300Z') + aheadMs;
  return { date, sentMs, receivedMs: sentMs + 200 };
};

test('a right clock stays as it is', () => {
  for (const aheadMs of [0, 400, -400]) expect(lackAfter(0, exchange(aheadMs))).toBe(0);
});

test.each([-hourMs, hourMs])(
  'a clock that is %d ms ahead is corrected to a second, and stays so',
  (aheadMs) => {
    const lack = lackAfter(0, exchange(aheadMs));
    expect(Math.abs(lack + aheadMs)).toBeLessThan(1000);
    expect(lackAfter(lack, exchange(aheadMs))).toBe(lack);
  },
);

test('an answer without a date, and one during which the clock was set, change nothing', () => {
  expect(lackAfter(5, exchange(hourMs, null))).toBe(5);
  expect(lackAfter(5, { ...exchange(0), receivedMs: 0 })).toBe(5);
});
