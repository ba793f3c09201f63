import { describe, expect, it, jest } from '@jest/globals';
import { createFrameClock, frameMs } from '../../../src/media/playout/frame-clock.ts';
import { until } from '../../support/until.ts';

describe('the clock of a media host', () => {
  it('keeps its rate however long ticks take, and does not repeat missed ticks', () => {
    jest.useFakeTimers();
    try {
      // Time that ticks use passes on the clock, but not for its timers.
      let usedMs = 0;
      const clock = createFrameClock({ now: () => performance.now() + usedMs });
      const begunMs = clock.now();
      const ticks: number[] = [];
      const leave = clock.join((nowMs) => {
        ticks.push(nowMs - begunMs);
        if (ticks.length % 7 === 0) usedMs += 15;
        if (ticks.length === 20) usedMs += 70;
      });
      while (ticks.length < 40) jest.advanceTimersByTime(1);
      leave();
      expect(ticks.filter((at) => Math.round(at) % frameMs > 1)).toEqual([]);
      expect(Math.min(...ticks.slice(1).map((at, index) => at - (ticks[index] ?? 0)))).toBeGreaterThanOrEqual(
        frameMs - 1,
      );
      expect(Math.round(ticks.at(-1) ?? 0)).toBe(40 * frameMs + 3 * frameMs);
    } finally {
      jest.useRealTimers();
    }
  });

  it('calls all listeners even if one throws or the lateness of a tick cannot be noted, and reports the errors', async () => {
    const faults: unknown[] = [];
    const clock = createFrameClock({
      onTick: () => {
        throw new Error('not noted');
      },
      onFault: (error) => faults.push(error),
    });
    let ticks = 0;
    const leaves = [
      clock.join(() => {
        throw new Error('broken');
      }),
      clock.join(() => {
        ticks += 1;
      }),
    ];
    await until('two ticks', () => Promise.resolve(ticks >= 2));
    for (const leave of leaves) leave();
    expect(faults.slice(0, 2)).toEqual([new Error('not noted'), new Error('broken')]);
  });

  it('runs no timer without a listener', async () => {
    const lateness: number[] = [];
    const clock = createFrameClock({ onTick: (lateMs) => lateness.push(lateMs) });
    const leave = clock.join(() => undefined);
    await until('a tick', () => Promise.resolve(lateness.length > 0));
    leave();
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    const again = clock.join(() => undefined);
    expect(timers()).toBe(before + 1);
    again();
    expect(timers()).toBe(before);
  });
});
