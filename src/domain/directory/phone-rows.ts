/** Initial number of slots; always a power of two. */
const firstSlots = 1024;
/** Share of taken slots at which their number doubles. */
const maxTaken = 0.7;

/**
 * Numbers of a file with one row for each: a map without objects, because it holds a million numbers while a
 * file is read. It takes some 17 to 34 bytes per number, outside of JavaScript's heap. Numbers have at most
 * 15 digits, so that a double holds each exactly.
 */
export class PhoneRows {
  #phones = new Float64Array(firstSlots);
  #rows = new Uint32Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row that was noted for a number; undefined if there is none. */
  get(phone: string): number | undefined {
    const slot = this.#slotOf(Number(phone));
    return this.#phones[slot] === 0 ? undefined : this.#rows[slot];
  }

  /** Notes a row for a number, in place of an earlier one. */
  set(phone: string, row: number): void {
    const number = Number(phone);
    let slot = this.#slotOf(number);
    if (this.#phones[slot] === 0) {
      if (this.#size >= this.#phones.length * maxTaken) {
        this.#grow();
        slot = this.#slotOf(number);
      }
      this.#size += 1;
    }
    this.#phones[slot] = number;
    this.#rows[slot] = row;
  }

  /** The slot of a number: its own, or the next free one from the slot of its hash. */
  #slotOf(number: number): number {
    const mask = this.#phones.length - 1;
    // Knuth's multiplicative hash of both halves. The upper bits depend on every digit and are shifted down.
    const mixed =
      Math.imul(number % 4_294_967_296, 2_654_435_761) ^
      Math.imul(Math.floor(number / 4_294_967_296), 40_503);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.#phones[slot] !== 0 && this.#phones[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [phones, rows] = [this.#phones, this.#rows];
    this.#phones = new Float64Array(phones.length * 2);
    this.#rows = new Uint32Array(phones.length * 2);
    for (const [at, number] of phones.entries()) {
      if (number === 0) continue;
      const slot = this.#slotOf(number);
      this.#phones[slot] = number;
      this.#rows[slot] = rows[at] ?? 0;
    }
  }
}
