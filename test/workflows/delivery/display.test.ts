import { expect, test } from '@jest/globals';
import { describeDelay } from '../../../src/workflows/delivery/display.ts';

test.each([
  [50, '50 ms'],
  [5000, '5 s'],
  [61_000, '61 s'],
  [300_000, '5 min'],
  [1_800_000, '30 min'],
  [7_200_000, '2 h'],
  [37_800_000, '10.5 h'],
  [86_400_000, '24 h'],
])('a wait of %i ms reads as %s', (delayMs, text) => {
  expect(describeDelay(delayMs)).toBe(text);
});
