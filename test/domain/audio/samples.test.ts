import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { bytesOf, createSampleReader, samplesOf } from '../../../src/domain/audio/pcm.ts';
import { createFrameCutter, joinSamples } from '../../../src/domain/audio/samples.ts';

const anySamples = fc
  .array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 500 })
  .map((each) => Int16Array.from(each));

describe('linear samples as bytes', () => {
  it('survive a round trip in either order from any memory offset', () => {
    expect([...bytesOf(Int16Array.of(0x0102, -2), 'big')]).toEqual([1, 2, 0xff, 0xfe]);
    expect([...bytesOf(Int16Array.of(0x0102, -2), 'little')]).toEqual([2, 1, 0xfe, 0xff]);
    fc.assert(
      fc.property(anySamples, fc.constantFrom('big' as const, 'little' as const), (samples, order) => {
        const shifted = new Uint8Array([9, ...bytesOf(samples, order)]).subarray(1);
        expect(samplesOf(shifted, order)).toEqual(samples);
      }),
    );
  });

  it('are complete for any split of their bytes', () => {
    fc.assert(
      fc.property(anySamples, fc.array(fc.integer({ min: 0, max: 33 })), (samples, sizes) => {
        const bytes = bytesOf(samples, 'little');
        const reader = createSampleReader('little');
        const parts: Int16Array[] = [];
        let at = 0;
        for (const size of sizes) parts.push(reader.push(bytes.subarray(at, (at += size))));
        parts.push(reader.push(bytes.subarray(at)));
        expect(joinSamples(parts)).toEqual(samples);
        expect(reader.hasHalf).toBe(false);
      }),
    );
    const reader = createSampleReader('big');
    reader.push(Uint8Array.of(1));
    expect(reader.hasHalf).toBe(true);
  });
});

describe('frames', () => {
  it('have equal length and lose nothing; the last one is padded with silence', () => {
    fc.assert(
      fc.property(fc.array(anySamples, { maxLength: 8 }), (parts) => {
        const cutter = createFrameCutter(160);
        const frames = parts.flatMap((part) => cutter.push(part));
        const rest = cutter.pending;
        const last = cutter.flush();
        const all = joinSamples(last === null ? frames : [...frames, last]);
        const wanted = joinSamples(parts);
        expect(rest).toBe(wanted.length % 160);
        expect(all.length).toBe(Math.ceil(wanted.length / 160) * 160);
        expect(all.subarray(0, wanted.length)).toEqual(wanted);
        expect(all.subarray(wanted.length).every((sample) => sample === 0)).toBe(true);
        expect(cutter.flush()).toBeNull();
      }),
    );
  });
});
