/**
 * G.711, the codecs of phone calls: one byte per sample at 8,000 samples per second, µ-law (PCMU, America and
 * Japan) or A-law (PCMA, elsewhere). Samples are signed 16-bit. Both directions are table look-ups.
 */

const muLawBias = 0x84;
const muLawClip = 32_635;

function expandMuLaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + muLawBias) << ((code & 0x70) >> 4)) - muLawBias;
  return code & 0x80 ? -magnitude : magnitude;
}

function compressMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), muLawClip) + muLawBias;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function expandALaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = ((code & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return code & 0x80 ? magnitude : -magnitude;
}

function compressALaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  // One's complement, so that -1 is as close to zero as 0.
  const magnitude = sample < 0 ? ~sample : sample;
  const exponent = Math.max(0, 24 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

interface Tables {
  /** Indexed by byte. */
  expand: Int16Array;
  /** Indexed by sample, read as unsigned. */
  compress: Uint8Array;
}

function tablesOf(expand: (byte: number) => number, compress: (sample: number) => number): Tables {
  return {
    expand: Int16Array.from({ length: 256 }, (_, byte) => expand(byte)),
    compress: Uint8Array.from({ length: 65_536 }, (_, index) => compress((index << 16) >> 16)),
  };
}

const muLaw = tablesOf(expandMuLaw, compressMuLaw);
const aLaw = tablesOf(expandALaw, compressALaw);

function decode({ expand }: Tables, bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) samples[index] = expand[bytes[index] ?? 0] ?? 0;
  return samples;
}

function encode({ compress }: Tables, samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1)
    bytes[index] = compress[(samples[index] ?? 0) & 0xffff] ?? 0;
  return bytes;
}

export const decodeMuLaw = (bytes: Uint8Array): Int16Array => decode(muLaw, bytes);
export const encodeMuLaw = (samples: Int16Array): Uint8Array => encode(muLaw, samples);
export const decodeALaw = (bytes: Uint8Array): Int16Array => decode(aLaw, bytes);
export const encodeALaw = (samples: Int16Array): Uint8Array => encode(aLaw, samples);
