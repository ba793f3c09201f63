import { expect, test } from '@jest/globals';
import { cachedFor } from '../../src/runtime/cached.ts';

test('many readers within the time share one reading, and later ones the next', async () => {
  let [readings, now] = [0, 0];
  const read = cachedFor(
    100,
    () => Promise.resolve((readings += 1)),
    () => now,
  );
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  now = 99;
  expect(await read()).toBe(1);
  now = 100;
  expect(await read()).toBe(2);
});

test('a failure reaches the current readers and is not cached', async () => {
  const answers = [() => Promise.reject(new Error('away')), () => Promise.resolve('there')];
  const read = cachedFor(1_000_000, async () => await answers.shift()?.());
  await expect(read()).rejects.toThrow('away');
  expect(await read()).toBe('there');
});
