import { describe, expect, it } from '@jest/globals';
import type { PlayoutEvent } from '../../../src/media/leg.ts';
import { createPlayout, type PlayoutOptions } from '../../../src/media/playout/playout.ts';
import { createFarEnd } from '../../support/media/far-end.ts';
import { createManualClock } from '../../support/media/manual-clock.ts';

const perMs = 8;

/** Samples that give their position: 1, 2, 3 … from `first` on. */
const counting = (first: number, ms: number): Int16Array =>
  Int16Array.from({ length: ms * perMs }, (_, index) => first + index);
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function stage({
  latencyMs = 0,
  returnsMarks = true,
  ...options
}: Partial<PlayoutOptions> & { returnsMarks?: boolean } = {}) {
  const clock = createManualClock();
  const far = createFarEnd({
    clock,
    latencyMs,
    onMark: (name) => (returnsMarks ? playout.onMark(name) : undefined),
  });
  const recorded: { atMs: number; samples: Int16Array }[] = [];
  const late: number[] = [];
  const playout = createPlayout({
    sampleRate: 8000,
    clock,
    wire: far,
    latencyMs,
    onHeard: (samples, atMs) => recorded.push({ atMs, samples }),
    onLate: (frames) => late.push(frames),
    ...options,
  });
  const events: PlayoutEvent[] = [];
  playout.on((event) => events.push(event));
  return { clock, far, playout, events, recorded, late, kinds: () => events.map(({ kind }) => kind) };
}

describe('speech on a stream', () => {
  it('is heard in order, once and without a gap, for any split into pieces', () => {
    const { clock, far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 130), isLast: false });
    clock.advance(40);
    playout.add({ clauseId: 1, samples: counting(1 + 130 * perMs, 37), isLast: true });
    playout.add({ clauseId: 2, samples: counting(1 + 167 * perMs, 60), isLast: true });
    clock.advance(400);
    expect(far.heard()).toEqual(numbers(1, 227 * perMs));
    expect(far.gapsMs).toBe(0);
  });

  // guarantee: held-host-sends-no-sound
  it('stops while the host is held, and continues where it stopped', () => {
    const { clock, far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 400), isLast: true });
    clock.advance(100);
    clock.hold();
    clock.advance(300);
    const sent = far.heard().length;
    playout.add({ clauseId: 2, samples: counting(1 + 400 * perMs, 40), isLast: true });
    clock.advance(300);
    expect(far.heard()).toHaveLength(sent);
    clock.release();
    clock.advance(800);
    expect(far.heard()).toEqual(numbers(1, 440 * perMs));
  });

  it('is at least a tick and at most its lead in advance of what is heard', () => {
    const { clock, far, playout } = stage({ leadMs: 120 });
    playout.add({ clauseId: 1, samples: counting(1, 1000), isLast: true });
    for (let ms = 0; ms < 800; ms += 20) {
      clock.advance(20);
      expect(far.queuedMs).toBeGreaterThanOrEqual(80);
      expect(far.queuedMs).toBeLessThanOrEqual(120);
    }
  });

  it('begins within the call that adds it, not at the next tick', () => {
    const { far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 100), isLast: true });
    expect(far.sentFrames).toBe(5);
  });

  it('loses nothing when the clock is late by less than the lead, and counts frames that were late', () => {
    const { clock, far, playout, late } = stage({ leadMs: 120 });
    playout.add({ clauseId: 1, samples: counting(1, 1000), isLast: true });
    clock.advance(100);
    clock.stall(90);
    clock.advance(100);
    expect([far.gapsMs, late]).toEqual([0, []]);
    clock.stall(300);
    clock.advance(1200);
    expect(far.gapsMs).toBeGreaterThan(100);
    expect(late.reduce((sum, frames) => sum + frames, 0)).toBeGreaterThanOrEqual(9);
    expect(far.heard()).toEqual(numbers(1, 8000));
  });

  it('does not drift: ten minutes of speech end after ten minutes', () => {
    const { clock, far, playout } = stage({ onHeard: () => undefined });
    for (let second = 0; second < 600; second += 1)
      playout.add({ clauseId: second, samples: new Int16Array(8000).fill(1), isLast: true });
    clock.advance(599_980);
    expect(playout.isIdle).toBe(false);
    clock.advance(60);
    expect(playout.isIdle).toBe(true);
    expect(far.gapsMs).toBe(0);
  });

  it('reports the beginning and the end of each clause, and when everything was heard', () => {
    const { clock, playout, events } = stage({ latencyMs: 60, returnsMarks: false });
    playout.add({ clauseId: 7, samples: counting(1, 100), isLast: true });
    playout.add({ clauseId: 8, samples: counting(801, 50), isLast: true });
    clock.advance(400);
    expect(events.map(({ kind, ...rest }) => [kind, 'clauseId' in rest ? rest.clauseId : null])).toEqual([
      ['clause_began', 7],
      ['clause_began', 8],
      ['clause_played', 7],
      ['clause_played', 8],
      ['drained', null],
    ]);
    const [, , first, last] = events.map(({ atMs }) => atMs - 1000);
    expect(first).toBe(160);
    expect(last).toBe(220);
  });

  it('is not drained while the rest of a clause may follow', () => {
    const { clock, playout, kinds } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 100), isLast: false });
    clock.advance(400);
    expect(kinds()).toEqual(['clause_began']);
    expect(playout.isIdle).toBe(false);
    playout.add({ clauseId: 1, samples: new Int16Array(0), isLast: true });
    expect(kinds()).toEqual(['clause_began', 'clause_played', 'drained']);
  });

  it('pads the end of the last clause to a whole frame', () => {
    const { clock, far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 33), isLast: true });
    clock.advance(200);
    expect(far.sentFrames).toBe(2);
    expect(far.heard()).toEqual(numbers(1, 33 * perMs));
  });
});

describe('an interrupted stream', () => {
  it('reports how much of each clause was heard, and sends nothing of the rest', () => {
    const { clock, far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 200), isLast: true });
    playout.add({ clauseId: 2, samples: counting(1601, 500), isLast: false });
    playout.add({ clauseId: 3, samples: counting(5601, 100), isLast: true });
    clock.advance(310);
    expect(playout.clear()).toEqual([
      { clauseId: 1, heardMs: 200, totalMs: 200 },
      { clauseId: 2, heardMs: 110, totalMs: 500 },
    ]);
    clock.advance(500);
    expect(far.heard()).toEqual(numbers(1, 310 * perMs));
  });

  it('uses the estimated latency until it is measured', () => {
    const { clock, playout } = stage({ latencyMs: 150, returnsMarks: false });
    playout.add({ clauseId: 1, samples: counting(1, 1000), isLast: true });
    clock.advance(450);
    expect(playout.clear()).toEqual([{ clauseId: 1, heardMs: 300, totalMs: 1000 }]);
  });

  it('measures the latency by returned marks, and ignores marks that a clear returns', () => {
    const clock = createManualClock();
    const far = createFarEnd({ clock, latencyMs: 20, onMark: (name) => playout.onMark(name) });
    const playout = createPlayout({ sampleRate: 8000, clock, wire: far, latencyMs: 400 });
    playout.add({ clauseId: 1, samples: counting(1, 1000), isLast: true });
    clock.advance(300);
    const [heard] = playout.clear();
    expect(heard?.heardMs).toBe(280);
    clock.advance(100);
    expect(playout.heard()).toEqual([heard]);
  });

  it('ignores marks that a pause returns, because they come before their sound was heard', () => {
    const { clock, playout } = stage({ latencyMs: 100 });
    playout.add({ clauseId: 1, samples: counting(1, 1000), isLast: true });
    clock.advance(60);
    playout.pause();
    playout.resume();
    clock.advance(400);
    expect(playout.clear()).toEqual([{ clauseId: 1, heardMs: 300, totalMs: 1000 }]);
  });

  it('drops late sound of a cleared clause, and plays the next clause at once', () => {
    const { clock, far, playout } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 200), isLast: false });
    clock.advance(100);
    playout.clear();
    playout.add({ clauseId: 1, samples: counting(1601, 200), isLast: true });
    playout.add({ clauseId: 2, samples: counting(9001, 100), isLast: true });
    clock.advance(300);
    expect(far.heard()).toEqual([...numbers(1, 800), ...numbers(9001, 9800)]);
  });

  // guarantee: last-words-confirmed-by-their-mark
  it('ends with the mark of its last frame, however long the line lags, and without it a second later', () => {
    for (const returns of [true, false]) {
      const { clock, playout, kinds } = stage({ returnsMarks: false });
      playout.add({ clauseId: 1, samples: counting(1, 400), isLast: true });
      clock.advance(20);
      playout.onMark('m1');
      clock.advance(1200);
      expect(kinds()).toEqual(['clause_began', 'clause_played']);
      if (returns) playout.onMark('m2');
      else clock.advance(300);
      expect(kinds()).toEqual(['clause_began', 'clause_played', 'drained']);
    }
  });

  // guarantee: paused-audio-resumes-exactly
  it('goes on exactly where it was paused', () => {
    const { clock, far, playout, kinds } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 600), isLast: true });
    clock.advance(247);
    playout.pause();
    clock.advance(1000);
    expect(far.heard()).toEqual(numbers(1, 247 * perMs));
    expect(kinds()).toEqual(['clause_began']);
    playout.resume();
    clock.advance(600);
    expect(far.heard()).toEqual(numbers(1, 600 * perMs));
    expect(kinds()).toEqual(['clause_began', 'clause_played', 'drained']);
  });
});

describe('background noise', () => {
  const addNoise = (frame: Int16Array) => {
    for (let index = 0; index < frame.length; index += 1) frame[index] = (frame[index] ?? 0) + 10_000;
  };

  it('plays before, under and after speech without a gap', () => {
    const { clock, far, playout } = stage({ addNoise });
    clock.advance(200);
    playout.add({ clauseId: 1, samples: counting(1, 100), isLast: true });
    clock.advance(500);
    const heard = far.heard();
    expect(far.gapsMs).toBe(0);
    expect(heard.length).toBeGreaterThanOrEqual(680 * perMs);
    const from = heard.indexOf(10_001);
    expect(heard.slice(from, from + 800)).toEqual(numbers(10_001, 10_800));
    expect(heard.at(-1)).toBe(10_000);
  });

  it('delays speech by two frames at most', () => {
    const { clock, far, playout } = stage({ addNoise, noiseLeadMs: 40 });
    clock.advance(203);
    playout.add({ clauseId: 1, samples: counting(1, 100), isLast: true });
    clock.advance(60);
    expect(far.heard()).toContain(10_001);
  });

  it('goes on while speech is paused', () => {
    const { clock, far, playout } = stage({ addNoise });
    playout.add({ clauseId: 1, samples: counting(1, 600), isLast: true });
    clock.advance(200);
    playout.pause();
    const before = far.sentFrames;
    clock.advance(400);
    expect(far.sentFrames - before).toBeGreaterThanOrEqual(20);
    expect(far.heard().at(-1)).toBe(10_000);
  });
});

describe('the sound for the recorder', () => {
  it('is what was heard, at the time it was heard, without what was taken back', () => {
    const { clock, playout, recorded } = stage();
    playout.add({ clauseId: 1, samples: counting(1, 600), isLast: true });
    clock.advance(247);
    playout.pause();
    clock.advance(500);
    playout.resume();
    clock.advance(600);
    expect(recorded.flatMap(({ samples }) => [...samples]).filter((sample) => sample !== 0)).toEqual(
      numbers(1, 600 * perMs),
    );
    expect(recorded[0]?.atMs).toBe(1000);
    const afterPause = recorded.find(({ samples }) => samples[0] === 247 * perMs + 1);
    expect(afterPause?.atMs).toBe(1747);
  });
});

describe('an idle or closed stream', () => {
  it('uses no clock', () => {
    const { clock, playout } = stage();
    const others = clock.listeners;
    playout.add({ clauseId: 1, samples: counting(1, 100), isLast: true });
    expect(clock.listeners).toBe(others + 1);
    clock.advance(400);
    expect(clock.listeners).toBe(others);
    playout.add({ clauseId: 2, samples: counting(1, 100), isLast: true });
    playout.close();
    expect(clock.listeners).toBe(others);
  });
});
