import type { StoredFile } from './port.ts';

/** At most `max` bytes from the start of a file. */
export async function beginning(file: StoredFile, max: number): Promise<Uint8Array> {
  return file.bytes === 0
    ? new Uint8Array()
    : await collect(file.read({ first: 0, last: Math.min(file.bytes, max) - 1 }), max);
}

async function collect(pieces: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    collected.push(piece);
    bytes += piece.length;
    if (bytes >= max) break;
  }
  return Buffer.concat(collected).subarray(0, max);
}
