import { isAscii } from 'node:buffer';
import type { StoredFile } from './port.ts';

const headBytes = 256 * 1024;
const windowBytes = 256 * 1024;

export interface Sample {
  /** The beginning of the file. */
  head: Uint8Array;
  /** From the first characters beyond ASCII; the head if there are none. */
  letters: Uint8Array;
}

/**
 * Reads the beginning of a file, then on to the first characters that distinguish encodings: the only one may
 * be in a name far below.
 */
export async function takeSample(file: StoredFile): Promise<Sample> {
  const head = await beginning(file, headBytes);
  // guarantee: encoding-found-from-late-letters
  if (file.bytes <= head.length || !isAscii(head)) return { head, letters: head };
  const letters = await collect(
    fromFirstLetter(file.read({ first: head.length, last: file.bytes - 1 })),
    windowBytes,
  );
  return { head, letters: letters.length === 0 ? head : letters };
}

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

async function* fromFirstLetter(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFound = false;
  for await (const piece of pieces) {
    isFound ||= !isAscii(piece);
    if (isFound) yield piece;
  }
}
