/**
 * A bit set of the grams of texts: all runs of two, three and four characters. A text that contains another
 * has all its grams, so texts without one of them need not be read. Case and accents make no difference, as in
 * the collation that compares the texts afterwards.
 */
export type Grams = Uint8Array;

/** Bits of a gram in a set of any size: a byte, taken modulo the size, and a bit of it. */
export interface GramBit {
  byte: number;
  mask: number;
}

const minBytes = 1024;
const maxBytes = 16_384;

/** An empty set for that many characters, in which about a quarter of the bits will be set. */
export function emptyGrams(characters: number): Grams {
  const bytes = 2 ** Math.ceil(Math.log2(Math.max(1, characters / 4)));
  return new Uint8Array(Math.min(maxBytes, Math.max(minBytes, bytes)));
}

/** Adds the grams of a text. Quotes separate the cells of a JSON text, so no gram has one. */
export function addGrams(grams: Grams, text: string): void {
  const last = grams.length - 1;
  eachGram(text, (hash) => {
    const at = (hash >>> 3) & last;
    grams[at] = (grams[at] ?? 0) | (1 << (hash & 7));
  });
}

/** Grams that are compared; more of them hardly tell more. */
const maxCompared = 32;

/** The bits that a set needs if one of its texts contains this one. The longest grams, which tell most. */
export function bitsOf(text: string): GramBit[] {
  const bits: GramBit[][] = [[], [], []];
  eachGram(text, (hash, length) => {
    bits[4 - length]?.push({ byte: hash >>> 3, mask: 1 << (hash & 7) });
  });
  return bits.flat().slice(0, maxCompared);
}

const quote = 0x22;

function eachGram(text: string, take: (hash: number, length: number) => void): void {
  const folded = foldedUnits();
  let [first, second, third, run] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // The collation takes every character of two units for the same one.
    if (unit >= 0xdc00 && unit <= 0xdfff) continue;
    if (unit === quote) {
      run = 0;
      continue;
    }
    const letter = folded[unit] ?? unit;
    run += 1;
    if (run >= 2) {
      const two = Math.imul(Math.imul(third + 1, 0x9e37_79b1) ^ letter, 0x85eb_ca6b);
      take(mixed(two), 2);
      if (run >= 3) {
        const three = Math.imul(two ^ (second + 1), 0xc2b2_ae35);
        take(mixed(three), 3);
        if (run >= 4) take(mixed(Math.imul(three ^ (first + 1), 0x27d4_eb2f)), 4);
      }
    }
    [first, second, third] = [second, third, letter];
  }
}

const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;

let units: Uint16Array | null = null;

/** By code unit: its letter without accents, in capitals. Made on first use. */
function foldedUnits(): Uint16Array {
  if (units !== null) return units;
  units = new Uint16Array(65_536);
  for (let unit = 0; unit < units.length; unit += 1) units[unit] = fold(unit);
  return units;
}

/** Letters that the collation takes for another one, and Unicode does not: ß for S, ϲ for Σ. */
const asAnother: Readonly<Record<number, number>> = { 0xdf: 0x53, 0x3f2: 0x3a3 };

function fold(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdbff) return 0xfffd;
  const another = asAnother[unit];
  if (another !== undefined) return another;
  const base = String.fromCharCode(unit).normalize('NFD').charAt(0);
  const capital = base.toUpperCase();
  return (capital.length === 1 ? capital.normalize('NFD') : base).charCodeAt(0);
}
