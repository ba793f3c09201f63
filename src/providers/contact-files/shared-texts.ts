import { limits } from './limits.ts';
import { ContactFileError } from './port.ts';

const chunkBytes = 1024 * 1024;

/** Bytes per shared text in addition to its characters: its start and its length. */
const placeBytes = 8;

/** The texts that cells of a workbook refer to by number. */
export interface SharedTexts {
  /** Undefined if there is none. */
  at: (index: number) => string | undefined;
}

/**
 * Texts in order, as bytes outside the JavaScript heap. As strings they would take two to ten times as much
 * of a heap that may be small, and a full heap ends the process. Of a text that is too long for a cell, only
 * as much is kept as shows that.
 */
export class KeptTexts implements SharedTexts {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #free = 0;
  #places = new Uint32Array(1024);
  #count = 0;
  #letterBytes = 0;

  constructor(max: number = limits.sharedTextBytes) {
    this.#max = max;
  }

  /** Throws ContactFileError if the texts exceed the limit. */
  add(text: string): void {
    const kept = text.length > limits.cellCharacters ? text.slice(0, limits.cellCharacters + 1) : text;
    const bytes = Buffer.byteLength(kept);
    this.#letterBytes += bytes;
    // guarantee: shared-text-limit-refuses-workbook
    if (this.#letterBytes + placeBytes * (this.#count + 1) > this.#max) throw tooManyTexts(this.#max);
    if (bytes > this.#free) {
      this.#chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      this.#free = chunkBytes;
    }
    const from = chunkBytes - this.#free;
    this.#chunks.at(-1)?.write(kept, from);
    this.#free -= bytes;
    this.#note((this.#chunks.length - 1) * chunkBytes + from, bytes);
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    const [from = 0, bytes = 0] = [this.#places[2 * index], this.#places[2 * index + 1]];
    const start = from % chunkBytes;
    return this.#chunks[Math.floor(from / chunkBytes)]?.toString('utf8', start, start + bytes) ?? '';
  }

  #note(from: number, bytes: number): void {
    if (2 * this.#count === this.#places.length) {
      const grown = new Uint32Array(2 * this.#places.length);
      grown.set(this.#places);
      this.#places = grown;
    }
    this.#places[2 * this.#count] = from;
    this.#places[2 * this.#count + 1] = bytes;
    this.#count += 1;
  }
}

function tooManyTexts(max: number): ContactFileError {
  return new ContactFileError(
    'too_large_inside',
    `The workbook has more than ${max / 1024 ** 2} MiB of different texts; save the contacts as CSV`,
  );
}
