import { expect, test } from '@jest/globals';
import { durationShares, outcomeShares } from '../../../src/domain/usage/distribution.ts';

test('lists the five most frequent dispositions and sums up the rest as Other; equal ones are in alphabetical order', () => {
  const counts = ['f', 'e', 'd', 'c', 'b'].map((disposition) => ({ disposition, count: 1 }));
  expect(outcomeShares([...counts, { disposition: 'z', count: 4 }, { disposition: 'a', count: 1 }])).toEqual([
    { disposition: 'z', count: 4, percentage: 40 },
    { disposition: 'a', count: 1, percentage: 10 },
    { disposition: 'b', count: 1, percentage: 10 },
    { disposition: 'c', count: 1, percentage: 10 },
    { disposition: 'd', count: 1, percentage: 10 },
    { disposition: 'Other', count: 2, percentage: 20 },
  ]);
});

test('rounds shares to two decimals, and lists none without calls', () => {
  expect(
    outcomeShares([
      { disposition: 'a', count: 1 },
      { disposition: 'b', count: 2 },
    ]).map(({ percentage }) => percentage),
  ).toEqual([66.67, 33.33]);
  expect(outcomeShares([])).toEqual([]);
  expect(new Set(durationShares(new Map()).map(({ percentage }) => percentage))).toEqual(new Set([0]));
});

test('lists every range of durations, the last one without an end', () => {
  expect(
    durationShares(
      new Map([
        [0, 1],
        [5, 3],
      ]),
    ).map(({ bucket, startSeconds, endSeconds, count, percentage }) => [
      bucket,
      startSeconds,
      endSeconds,
      count,
      percentage,
    ]),
  ).toEqual([
    ['0-10', 0, 10, 1, 25],
    ['10-30', 10, 30, 0, 0],
    ['30-60', 30, 60, 0, 0],
    ['60-120', 60, 120, 0, 0],
    ['120-180', 120, 180, 0, 0],
    ['>180', 180, null, 3, 75],
  ]);
});
