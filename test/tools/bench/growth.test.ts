import { expect, test } from '@jest/globals';
import { meanCells } from '../../../tools/bench/growth.ts';

test('the levels of a memory are the means of equal parts of its samples, the last of which may be shorter', () => {
  const values = [
    [100, 10],
    [200, 20],
    [300, 40],
    [400, 50],
    [500, 7],
  ].map(([calls = 0, mb = 0]) => ({ calls, mb }));
  expect(meanCells({ role: 'api', what: 'resident', values }, 200)).toEqual([
    'api',
    'resident',
    '15',
    '45',
    '7',
  ]);
});
