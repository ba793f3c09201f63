import { describe, expect, test } from '@jest/globals';
import { quantile, summarize, trendOf } from '../../../tools/bench/statistics.ts';

describe('a quantile', () => {
  test('is interpolated between the two nearest values', () => {
    expect(quantile([40, 10, 30, 20], 0.5)).toBe(25);
    expect(quantile([10, 20], 0.95)).toBeCloseTo(19.5);
  });

  test('of 0 and 1 is the least and the greatest value, in any order of the values', () => {
    expect([quantile([7, 3, 100], 0), quantile([7, 3, 100], 1)]).toEqual([3, 100]);
  });

  test('of numbers is by size, not by their digits', () => {
    expect(quantile([9, 10, 100], 0.5)).toBe(10);
  });

  test('of nothing is an error', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });

  test('leaves the order of the values unchanged', () => {
    const values = [3, 1, 2];
    summarize(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('a summary has the number of values, their median, their 95th percentile and their maximum', () => {
  const values = Array.from({ length: 101 }, (_, index) => index);
  expect(summarize(values)).toEqual({ count: 101, p50: 50, p95: 95, max: 100 });
});

describe('a trend', () => {
  test('through points of a line is that line, without error', () => {
    const { slope, start, slopeError } = trendOf([0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x })));
    expect([slope, start]).toEqual([2, 5]);
    expect(slopeError).toBeCloseTo(0);
  });

  test('through scattered points is the least-squares line, with its standard error', () => {
    // A textbook example: slope 0.6, residual sum of squares 2.4, spread of x 10.
    const points = [
      [1, 2],
      [2, 4],
      [3, 5],
      [4, 4],
      [5, 5],
    ].map(([x = 0, y = 0]) => ({ x, y }));
    const { slope, start, slopeError } = trendOf(points);
    expect(slope).toBeCloseTo(0.6);
    expect(start).toBeCloseTo(2.2);
    expect(slopeError).toBeCloseTo(Math.sqrt(2.4 / 3 / 10));
  });

  test('needs three points at different places', () => {
    expect(() =>
      trendOf([
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ]),
    ).toThrow(RangeError);
    expect(() =>
      trendOf([
        { x: 1, y: 1 },
        { x: 1, y: 2 },
        { x: 1, y: 3 },
      ]),
    ).toThrow(RangeError);
  });
});
