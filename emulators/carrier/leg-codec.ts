import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../src/domain/audio/g711.ts';
import { bytesOf } from '../../src/domain/audio/pcm.ts';
import { resample } from '../../src/domain/audio/resample.ts';

/** The codec of a leg, which the carrier uses toward the host. Samples have 8 kHz. */
export interface LegCodec {
  encoding: 'PCMU' | 'PCMA' | 'L16';
  sampleRate: 8000 | 16000;
  encode(samples: Int16Array): Uint8Array;
  /** The sound of the host as the phone gets it. */
  carried(samples: Int16Array): Int16Array;
}

export const legCodecs = {
  PCMU: {
    encoding: 'PCMU',
    sampleRate: 8000,
    encode: encodeMuLaw,
    carried: (samples) => decodeMuLaw(encodeMuLaw(samples)),
  },
  PCMA: {
    encoding: 'PCMA',
    sampleRate: 8000,
    encode: encodeALaw,
    carried: (samples) => decodeALaw(encodeALaw(samples)),
  },
  L16: {
    encoding: 'L16',
    sampleRate: 16_000,
    encode: (samples) => bytesOf(resample(samples, { from: 8000, to: 16_000 }), 'little'),
    carried: (samples) => samples,
  },
} as const satisfies Record<string, LegCodec>;
