/**
 * L16: linear 16-bit samples as bytes. Network order is big-endian; files and vendors' APIs are
 * little-endian.
 */
export type ByteOrder = 'big' | 'little';

/** Ignores a last odd byte; `createSampleReader` carries it over. */
export function samplesOf(bytes: Uint8Array, order: ByteOrder): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(bytes.byteLength >> 1);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = view.getInt16(index * 2, order === 'little');
  return samples;
}

export function bytesOf(samples: Int16Array, order: ByteOrder): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < samples.length; index += 1)
    view.setInt16(index * 2, samples[index] ?? 0, order === 'little');
  return bytes;
}

/** Reads samples from pieces of bytes that may end in the middle of a sample. */
export interface SampleReader {
  push(bytes: Uint8Array): Int16Array;
  /** Half a sample is left over. At the end of a stream, this means that a byte was lost. */
  readonly hasHalf: boolean;
}

export function createSampleReader(order: ByteOrder): SampleReader {
  let half: number | null = null;
  return {
    push(bytes) {
      const whole = half === null ? bytes : Uint8Array.of(half, ...bytes);
      half = whole.length % 2 === 1 ? (whole.at(-1) ?? 0) : null;
      return samplesOf(whole, order);
    },
    get hasHalf() {
      return half !== null;
    },
  };
}
