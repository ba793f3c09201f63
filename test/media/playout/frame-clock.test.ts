import { describe, expect, it } from '@jest/globals';
import { createFrameClock, frameMs } from '../../../src/media/playout/frame-clock.ts';
import { until } from '../../support/until.ts';

describe('the clock of a media host', () => {
  it('keeps its rate whatever its ticks cost, and does not make up for missed ones', async () => {
    const clock = createFrameClock();
    const ticks: number[] = [];
    const leave = clock.join((nowMs) => {
      ticks.push(nowMs);
      if (ticks.length % 7 === 0) for (const end = performance.now() + 15; performance.now() < end; );
      if (ticks.length === 20) for (const end = performance.now() + 70; performance.now() < end; );
    });
    await until('40 ticks', () => Promise.resolve(ticks.length >= 40));
    leave();
    const offGrid = ticks.map((at) => (at - (ticks[0] ?? 0)) % frameMs).map((over) => Math.min(over, frameMs - over));
    // Of ticks on a grid that drifts, the last ones are anywhere; a late one is only late itself.
    expect(offGrid.toSorted((a, b) => a - b)[20]).toBeLessThan(6);
    expect(Math.min(...ticks.slice(1).map((at, index) => at - (ticks[index] ?? 0)))).toBeGreaterThan(0.5);
  });

  it('ticks for all although one of them throws, and tells of it', async () => {
    const faults: unknown[] = [];
    const clock = createFrameClock({ onFault: (error) => faults.push(error) });
    let ticks = 0;
    const leaves = [clock.join(() => { throw new Error('broken'); }), clock.join(() => { ticks += 1; })];
    await until('two ticks', () => Promise.resolve(ticks >= 2));
    for (const leave of leaves) leave();
    expect(faults[0]).toEqual(new Error('broken'));
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
