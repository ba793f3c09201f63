import { decodeALaw, decodeMuLaw } from '../../src/domain/audio/g711.ts';

/** The sound of a WAV file at 8 kHz, mono: 16-bit linear, µ-law or A-law, at a multiple of 8 kHz. Null when it is another file. */
export function readWav(file: Buffer): Int16Array | null {
  if (file.length < 44 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null;
  const format = chunk(file, 'fmt ');
  const data = chunk(file, 'data');
  if (format === null || data === null || format.length < 16) return null;
  const [kind, channels, rate, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt32LE(4), format.readUInt16LE(14)];
  const samples = decode(data, kind, bits);
  return samples === null || rate % 8000 !== 0 || channels < 1 ? null : thin(samples, channels * (rate / 8000));
}

function decode(data: Buffer, kind: number, bits: number): Int16Array | null {
  if (kind === 1 && bits === 16) return Int16Array.from({ length: Math.floor(data.length / 2) }, (_, index) => data.readInt16LE(index * 2));
  if (kind === 7 && bits === 8) return decodeMuLaw(data);
  return kind === 6 && bits === 8 ? decodeALaw(data) : null;
}

/** Every nth sample: the modem's tones lie far below what that would fold back. */
function thin(samples: Int16Array, step: number): Int16Array {
  return step === 1 ? samples : Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => samples[index * step] ?? 0);
}

function chunk(file: Buffer, name: string): Buffer | null {
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    // A file that was streamed gives no true size for its last chunk.
    if (file.toString('latin1', at, at + 4) === name) return file.subarray(at + 8, Math.min(at + 8 + size, file.length));
    at += 8 + size + (size % 2);
  }
  return null;
}
