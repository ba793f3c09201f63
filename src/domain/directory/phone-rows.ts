/** Slots at first; always a power of two. */
const firstSlots = 1024;
/** Of the slots that may be taken before there are twice as many. */
const maxTaken = 0.7;

/**
 * Numbers of a file and one row for each: a map without objects, because a million of them are kept while a
 * file is read. Some 17 to 34 bytes a number, outside of JavaScript's heap. Numbers are digits, 15 at most,
 * so that a double holds each exactly.
 */
export class PhoneRows {
  #phones = new Float64Array(firstSlots);
  #rows = new Uint32Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row that was noted for a number; undefined without one. */
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

  /** Where a number is, or would be: the next free slot from the one that its digits lead to. */
  #slotOf(number: number): number {
    const mask = this.#phones.length - 1;
    // Knuth's multiplicative hash of both halves; its upper bits, in which every digit counts, are brought
    // down.
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
