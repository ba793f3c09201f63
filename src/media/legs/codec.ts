import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../domain/audio/g711.ts';
import { bytesOf, samplesOf } from '../../domain/audio/pcm.ts';
import type { MediaFormat } from './carrier-frames.ts';

/** The encoding of a stream's sound, the same in both directions. */
export interface Codec {
  sampleRate: 8000 | 16000;
  encode: (samples: Int16Array) => Uint8Array;
  decode: (bytes: Uint8Array) => Int16Array;
}

const muLaw: Codec = { sampleRate: 8000, encode: encodeMuLaw, decode: decodeMuLaw };
const aLaw: Codec = { sampleRate: 8000, encode: encodeALaw, decode: decodeALaw };

/** 16-bit linear samples, little-endian. */
export const linear = (sampleRate: 8000 | 16000): Codec => ({
  sampleRate,
  encode: (samples) => bytesOf(samples, 'little'),
  decode: (bytes) => samplesOf(bytes, 'little'),
});

/** The codec for a carrier's format; null when we do not support it. */
export function codecOf({ encoding, sampleRate, channels }: MediaFormat): Codec | null {
  if (channels !== 1) return null;
  if (encoding === 'PCMU') return sampleRate === 8000 ? muLaw : null;
  if (encoding === 'PCMA') return sampleRate === 8000 ? aLaw : null;
  return encoding === 'L16' && (sampleRate === 8000 || sampleRate === 16_000) ? linear(sampleRate) : null;
}
