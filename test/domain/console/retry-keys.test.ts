import { expect, test } from '@jest/globals';
import { createRetryKeys } from '../../../console/src/app/retry-keys.ts';

test('the same request has the same key while no answer came, for ten minutes, and a new one after an answer', () => {
  let made = 0;
  let now = 0;
  const keys = createRetryKeys({ freshKey: () => `key ${(made += 1)}`, nowMs: () => now });
  const first = keys.keyFor('create A');
  keys.unanswered('create A', first);
  expect(keys.keyFor('create A')).toBe(first);
  expect(keys.keyFor('create B')).not.toBe(first);
  keys.answered('create A');
  const second = keys.keyFor('create A');
  expect(second).not.toBe(first);
  keys.unanswered('create A', second);
  now = 600_001;
  expect(keys.keyFor('create A')).not.toBe(second);
});
