import { expect, test } from '@jest/globals';
import { createHold } from '../../../src/media/host/hold.ts';

function start() {
  let nowMs = 0;
  let noticed = 0;
  const hold = createHold({ nowMs: () => nowMs, onHeld: () => (noticed += 1) });
  hold.close(); // the test is the timer
  return { hold, pass: (ms: number) => (nowMs += ms), now: () => nowMs, noticed: () => noticed };
}

test('a host is held from the first moment after more than a second without processor time', () => {
  const { hold, pass, noticed } = start();
  pass(1000);
  expect([hold.isHeld(), noticed()]).toEqual([false, 0]);
  pass(1);
  expect([hold.isHeld(), hold.isHeld(), noticed()]).toEqual([true, true, 1]);
});

test('only a renewal that began after the pause releases a host', () => {
  const { hold, pass, now } = start();
  const before = now();
  pass(5000);
  expect(hold.isHeld()).toBe(true);
  hold.renewed(before);
  expect(hold.isHeld()).toBe(true);
  hold.renewed(now());
  expect(hold.isHeld()).toBe(false);
});

test('a host that paused again during a renewal stays held', () => {
  const { hold, pass, now } = start();
  pass(2000);
  expect(hold.isHeld()).toBe(true);
  const renewal = now();
  pass(2000);
  expect(hold.isHeld()).toBe(true);
  hold.renewed(renewal);
  expect(hold.isHeld()).toBe(true);
});
