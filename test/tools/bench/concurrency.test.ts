import { describe, expect, test } from '@jest/globals';
import { concurrently } from '../../../tools/bench/concurrency.ts';

describe('parallel lanes of work', () => {
  test('run each index once, never more than the width at a time, and answer in order', async () => {
    let [running, max] = [0, 0];
    const results = await concurrently({ count: 10, width: 3 }, async (index) => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return index * 2;
    });
    expect({ results, max }).toEqual({ results: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18], max: 3 });
  });

  test('fail with the first failure and start nothing after it', async () => {
    const begun: number[] = [];
    const work = concurrently({ count: 100, width: 2 }, async (index) => {
      begun.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      if (index === 3) throw new Error('the fourth');
    });
    await expect(work).rejects.toThrow('the fourth');
    expect(begun.length).toBeLessThan(8);
  });
});
