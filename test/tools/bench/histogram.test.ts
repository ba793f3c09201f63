import { describe, expect, test } from '@jest/globals';
import { readSamples } from '../../support/metrics-text.ts';
import { addedSince, boundOf, bucketsIn } from '../../../tools/bench/phone/histogram.ts';

const text = (counts: readonly number[]) =>
  ['0.01', '0.02', '+Inf']
    .map((le, index) => `late_bucket{role="media",le="${le}"} ${counts[index]}`)
    .join('\n');

describe('a histogram', () => {
  test('gives the bound that a share of its values does not exceed', () => {
    const buckets = bucketsIn(readSamples(`${text([90, 99, 100])}\nlate_count 100`), 'late');
    expect([0.5, 0.95, 0.99, 1].map((share) => boundOf(buckets, share))).toEqual([
      0.01,
      0.02,
      0.02,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('has the values between two readings', () => {
    const [before, after] = [text([90, 99, 100]), text([90, 199, 200])].map((each) =>
      bucketsIn(readSamples(each), 'late'),
    );
    expect(addedSince(before ?? [], after ?? [])).toEqual([
      { bound: 0.01, count: 0 },
      { bound: 0.02, count: 100 },
      { bound: Number.POSITIVE_INFINITY, count: 100 },
    ]);
  });

  test('gives NaN without values', () => {
    expect(boundOf(bucketsIn([], 'late'), 0.99)).toBeNaN();
  });
});
