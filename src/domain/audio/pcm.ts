/**
 * L16: linear 16-bit samples as bytes. Network order is big-endian; files and vendors' APIs are
 * little-endian.
 */
export type ByteOrder = 'big' | 'little';

/** The order in which this machine stores samples: bytes of that order are copied as they are. */
const ownOrder: ByteOrder = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'little' : 'big';

/** Ignores a last odd byte; `createSampleReader` carries it over. */
export function samplesOf(bytes: Uint8Array, order: ByteOrder): Int16Array {
  if (order === ownOrder) return new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.byteLength >> 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(bytes.byteLength >> 1);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = view.getInt16(index * 2, order === 'little');
  return samples;
}

export function bytesOf(samples: Int16Array, order: ByteOrder): Uint8Array<ArrayBuffer> {
  if (order === ownOrder)
    return new Uint8Array(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
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
