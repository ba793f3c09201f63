import { describe, expect, it } from '@jest/globals';
import { createAmbientSound, mix } from '../../../src/domain/audio/mix.ts';
import { officeSound } from '../../../src/domain/audio/office-sound.ts';
import { levelOf } from '../../../src/domain/audio/samples.ts';

describe('mixing', () => {
  it('adds and clips samples, and is as long as the longer sound', () => {
    expect(mix(Int16Array.of(1, 30_000, -30_000), Int16Array.of(2, 30_000, -30_000, 7))).toEqual(
      Int16Array.of(3, 32_767, -32_768, 7),
    );
  });
});

describe('background sound', () => {
  it('continues from frame to frame, repeats at its end, and obeys its volume', () => {
    const ambient = createAmbientSound({ loop: Int16Array.of(10, 20, 30), volume: 0.5 });
    expect(ambient.addTo(Int16Array.of(0, 0))).toEqual(Int16Array.of(5, 10));
    expect(ambient.addTo(Int16Array.of(100, 0))).toEqual(Int16Array.of(115, 5));
  });

  it('adds nothing without a loop or volume, and clips loud sums', () => {
    expect(createAmbientSound({ loop: new Int16Array(0), volume: 1 }).addTo(Int16Array.of(3))).toEqual(
      Int16Array.of(3),
    );
    expect(createAmbientSound({ loop: Int16Array.of(9), volume: 0 }).addTo(Int16Array.of(3))).toEqual(
      Int16Array.of(3),
    );
    expect(
      createAmbientSound({ loop: Int16Array.of(32_000), volume: 1 }).addTo(Int16Array.of(32_000)),
    ).toEqual(Int16Array.of(32_767));
  });

  for (const sampleRate of [8000, 16000, 24000] as const) {
    it(`of an office is deterministic, steady, and loops without a click at ${sampleRate}`, () => {
      const sound = officeSound(sampleRate);
      expect(sound).toEqual(officeSound(sampleRate));
      expect(sound.length).toBe(sampleRate * 8);
      expect(levelOf(sound)).toBeGreaterThan(2_000);
      expect(levelOf(sound)).toBeLessThan(4_000);
      const steps = sound.map((sample, index) => Math.abs(sample - (sound.at(index - 1) ?? 0)));
      expect(steps[0]).toBeLessThan(1_500);
    });
  }
});
