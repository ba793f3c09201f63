import { expect, test } from '@jest/globals';
import { lagsOf } from '../../../tools/bench/console/lag.ts';

const at = (...sights: [at: number, value: number][]) => sights.map(([at, value]) => ({ at, value }));

test('a page is as far behind as the first sight of a number, or of a later one, is late', () => {
  expect(lagsOf(at([0, 3], [100, 4], [200, 5], [900, 8]), at([0, 3], [700, 5], [1500, 8]))).toEqual([
    600, 500, 600,
  ]);
});

test('a page that shows a number before the API was asked is not behind', () => {
  expect(lagsOf(at([0, 3], [100, 4]), at([50, 4]))).toEqual([0]);
});

test('the first number does not count, because it is not known when it changed', () => {
  expect(lagsOf(at([0, 3]), at([5000, 3]))).toEqual([]);
});

test('a number that a page never showed is an error', () => {
  expect(() => lagsOf(at([0, 3], [100, 4]), at([50, 3]))).toThrow('never showed 4');
});
