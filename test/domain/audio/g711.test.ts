import { describe, expect, it } from '@jest/globals';
import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../../src/domain/audio/g711.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const everySample = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);

const codecs = [
  { name: 'µ-law', encode: encodeMuLaw, decode: decodeMuLaw, loudest: 32_124, silence: [0xff, 0] },
  { name: 'A-law', encode: encodeALaw, decode: decodeALaw, loudest: 32_256, silence: [0xd5, 8] },
] as const;

for (const { name, encode, decode, loudest, silence } of codecs) {
  describe(`${name} encoding`, () => {
    it('decoding and encoding keeps every byte except the second code of zero', () => {
      const again = encode(decode(everyByte));
      const changed = everyByte.filter((byte, index) => again[index] !== byte);
      expect([...changed]).toEqual(name === 'µ-law' ? [0x7f] : []);
    });

    it('keeps every sample within a sixteenth of its size or the smallest step', () => {
      const again = decode(encode(everySample));
      const wrong = everySample.filter(
        (sample, index) =>
          Math.abs((again[index] ?? 0) - sample) > Math.max(16, Math.abs(sample) / 16) &&
          Math.abs(sample) < loudest,
      );
      expect([...wrong]).toEqual([]);
    });

    it('never makes a louder sample quieter than a softer one', () => {
      const again = decode(encode(everySample));
      expect(again.every((sample, index) => index === 0 || sample >= (again[index - 1] ?? 0))).toBe(true);
    });

    it('encodes silence and the loudest sample as the standard says', () => {
      const [byte, level] = silence;
      expect([...encode(Int16Array.of(0))]).toEqual([byte]);
      expect([...decode(Uint8Array.of(byte))]).toEqual([level]);
      expect(Math.max(...decode(everyByte))).toBe(loudest);
      expect(Math.min(...decode(everyByte))).toBe(-loudest);
    });
  });
}
