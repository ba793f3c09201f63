const maxWords = 1024;
/** Of a longer word, the rest is left out. */
export const maxWordBytes = 60;
const seed = 0x811c9dc5;

/**
 * Distinct words with bytes beyond ASCII, from a whole text: those with the smallest hashes, so that it does
 * not matter where they are and how many there are. A word ends at a byte that no encoding uses within a
 * character.
 */
export class WordSample {
  readonly #hashes = new Map<string, number>();
  #limit = 2 ** 32;

  add(line: Buffer): void {
    let [from, hash, isForeign] = [0, seed, false];
    for (let at = 0; at <= line.length; at += 1) {
      const byte = line[at] ?? 0;
      if (byte >= 0x40 || (byte >= 0x30 && byte <= 0x39)) {
        hash = Math.imul(hash ^ byte, 0x01000193);
        if (byte >= 0x80) isForeign = true;
        continue;
      }
      if (isForeign) this.#keep(line, { from, to: Math.min(at, from + maxWordBytes), hash: mixed(hash) });
      [from, hash, isForeign] = [at + 1, seed, false];
    }
  }

  list(): Buffer[] {
    return [...this.#hashes.keys()].map((word) => Buffer.from(word, 'latin1'));
  }

  #keep(line: Buffer, { from, to, hash }: { from: number; to: number; hash: number }): void {
    if (hash >= this.#limit) return;
    this.#hashes.set(line.toString('latin1', from, to), hash);
    while (this.#hashes.size > maxWords) {
      this.#limit /= 2;
      for (const [word, each] of this.#hashes) if (each >= this.#limit) this.#hashes.delete(word);
    }
  }
}

function mixed(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}
