import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createResampler, resample } from '../../../src/domain/audio/resample.ts';
import { joinSamples, levelOf } from '../../../src/domain/audio/samples.ts';

const pairs = [
  { from: 24000, to: 8000 },
  { from: 24000, to: 16000 },
  { from: 16000, to: 24000 },
  { from: 16000, to: 8000 },
  { from: 8000, to: 16000 },
  { from: 8000, to: 24000 },
  { from: 44100, to: 8000 },
  { from: 22050, to: 24000 },
] as const;

const tone = (hertz: number, sampleRate: number, length = sampleRate / 2): Int16Array =>
  Int16Array.from({ length }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / sampleRate)),
  );

for (const { from, to } of pairs) {
  describe(`from ${from} to ${to} samples per second`, () => {
    it('keeps the position, loudness and shape of speech', () => {
      const wanted = tone(440, to);
      const got = resample(tone(440, from), { from, to });
      expect(got.length).toBe(wanted.length);
      const middle = (samples: Int16Array) => samples.subarray(to / 50, -to / 50);
      const difference = middle(got).map((sample, index) => sample - (middle(wanted)[index] ?? 0));
      expect(levelOf(difference)).toBeLessThan(60);
    });

    it('gives the same samples and length for pieces of any size', () => {
      const whole = tone(700, from, 3001);
      const wanted = resample(whole, { from, to });
      expect(wanted.length).toBe(Math.ceil((3001 * to) / from));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }), (sizes) => {
          const resampler = createResampler({ from, to });
          const parts: Int16Array[] = [];
          let at = 0;
          for (const size of sizes) parts.push(resampler.push(whole.subarray(at, (at += size))));
          parts.push(resampler.push(whole.subarray(at)), resampler.flush());
          expect(joinSamples(parts)).toEqual(wanted);
        }),
        { numRuns: 20 },
      );
    });
  });
}

for (const { from, to } of pairs.filter((pair) => pair.to < pair.from)) {
  it(`removes from ${from} samples per second what ${to} cannot carry`, () => {
    expect(levelOf(resample(tone(to * 0.66, from), { from, to }).subarray(100, -100))).toBeLessThan(150);
  });
}

it('starts afresh after a flush', () => {
  const resampler = createResampler({ from: 24000, to: 8000 });
  const all = () => joinSamples([resampler.push(tone(500, 24000, 2400)), resampler.flush()]);
  expect(all()).toEqual(all());
});

it('leaves a stream at the same rate unchanged, and clips loud sound instead of wrapping it', () => {
  const samples = tone(440, 8000);
  expect(resample(samples, { from: 8000, to: 8000 })).toEqual(samples);
  const square = Int16Array.from({ length: 2400 }, (_, index) => (index % 48 < 24 ? 32_767 : -32_768));
  const jumps = resample(square, { from: 24000, to: 8000 }).filter(
    (sample, index, all) =>
      Math.abs(sample) > 20_000 && Math.abs((all[index - 1] ?? sample) - sample) > 60_000,
  );
  expect(jumps.length).toBe(0);
});
