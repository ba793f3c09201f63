import { afterEach, expect, test } from '@jest/globals';
import { watchLoopLag } from '../../src/runtime/loop-lag.ts';
import { until } from '../support/until.ts';

let watched: ReturnType<typeof watchLoopLag> | undefined;
afterEach(() => watched?.close());

const blockFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('a blocked loop is reported once, with at least the delay of the block', async () => {
  const lag = watchLoopLag();
  watched = lag;
  let turn = 0;
  const worst = await until('a look at a late loop', () => {
    turn += 1;
    if (turn % 2 === 1) blockFor(60);
    const seen = turn % 2 === 1 ? 0 : lag.read().maxMs;
    return Promise.resolve(seen >= 30 && seen);
  });
  expect(worst).toBeGreaterThanOrEqual(30);
});

test('the first reading has no delay', () => {
  watched = watchLoopLag();
  expect(watched.read()).toEqual({ p95Ms: 0, maxMs: 0 });
});
