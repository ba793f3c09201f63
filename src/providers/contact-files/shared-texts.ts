import { limits } from './limits.ts';
import { ContactFileError } from './port.ts';

const chunkBytes = 1024 * 1024;

/** Bytes per shared text in addition to its characters: its start and its length. */
const placeBytes = 8;

/** The most that UTF-8 takes for one character of a JavaScript string. */
const bytesPerCharacter = 3;

const longCharacters = 1024;

/** The texts that cells of a workbook refer to by number. */
export interface SharedTexts {
  /** At least the first `max` characters of a text; undefined if there is none. */
  at: (index: number, max?: number) => string | undefined;
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
  /** The long text that was read last: cells often name the same one, and each copy takes memory. */
  #latest = { index: -1, max: 0, text: '' };

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

  at(index: number, max: number = limits.cellCharacters + 1): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    if (this.#latest.index === index && this.#latest.max === max) return this.#latest.text;
    const [from = 0, bytes = 0] = [this.#places[2 * index], this.#places[2 * index + 1]];
    const start = from % chunkBytes;
    const end = start + Math.min(bytes, max * bytesPerCharacter);
    const text = this.#chunks[Math.floor(from / chunkBytes)]?.toString('utf8', start, end) ?? '';
    if (text.length >= longCharacters) this.#latest = { index, max, text };
    return text;
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
