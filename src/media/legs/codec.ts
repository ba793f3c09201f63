import { decodeALaw, decodeMuLaw, encodeMuLaw } from '../../domain/audio/g711.ts';
import { bytesOf, samplesOf } from '../../domain/audio/pcm.ts';
import { createResampler } from '../../domain/audio/resample.ts';
import type { MediaFormat } from './carrier-frames.ts';

/** PCM16 of a browser, the same in both directions. */
export const browserCodec = {
  sampleRate: 16_000,
  encode: (samples: Int16Array) => bytesOf(samples, 'little'),
  decode: (bytes: Uint8Array) => samplesOf(bytes, 'little'),
} as const;

/**
 * What we send to a carrier, whatever it sends to us: the commands that attach a stream declare it (contract
 * 12.4).
 */
export const toCarrier = { sampleRate: 8000, encode: encodeMuLaw } as const;

/**
 * Decodes what a carrier sends, which its `start` names, to the rate of `toCarrier`. Null when we do not
 * support the format.
 */
export function carrierDecoder({
  encoding,
  sampleRate,
  channels,
}: MediaFormat): ((bytes: Uint8Array) => Int16Array) | null {
  if (channels !== 1) return null;
  if (encoding === 'PCMU') return sampleRate === 8000 ? decodeMuLaw : null;
  // guarantee: a-law-line-is-understood
  if (encoding === 'PCMA') return sampleRate === 8000 ? decodeALaw : null;
  if (encoding !== 'L16' || (sampleRate !== 8000 && sampleRate !== 16_000)) return null;
  const resampler = createResampler({ from: sampleRate, to: toCarrier.sampleRate });
  return (bytes) => resampler.push(samplesOf(bytes, 'little'));
}
