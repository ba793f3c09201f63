import { isPhoneName } from '../../domain/directory/mapping-words.ts';

/**
 * Index of the header among the first records: the first one that names a phone column. Otherwise the first
 * one that is about as wide as the records below it, because titles take one cell, or that contains a number
 * itself, so that a narrow contact is not taken for a title. Null if all records are blank.
 */
export function headerIndex(records: readonly (readonly string[])[]): number | null {
  const filled = records.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const named = records
    .slice(0, maxAbove)
    .findIndex((cells) => cells.some(isPhoneName) && !looksLikeData(cells));
  if (named !== -1) return named;
  const usual = median(filled.filter((count) => count > 0));
  const wide = filled
    .slice(0, maxAbove)
    .findIndex((count, index) => count > 0 && (count >= 0.6 * usual || looksLikeData(records[index] ?? [])));
  const first = filled.findIndex((count) => count > 0);
  return first === -1 ? null : wide === -1 ? first : wide;
}

/** Titles take a few lines. */
const maxAbove = 20;

function median(counts: readonly number[]): number {
  return counts.toSorted((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0;
}

/** Whether cells of a header are values: a phone number stands where a name should. */
export function looksLikeData(header: readonly string[]): boolean {
  return header.some((cell) => numberLike.test(cell.trim()) && !date.test(cell.trim()));
}

const numberLike = /^[+(]?\d[\d\s().-]{6,}$/;
/** Titles contain the date of an export. */
const date = /^(?:\d{4}([.-])\d{1,2}\1\d{1,2}|\d{1,2}([.-])\d{1,2}\2\d{4})(?!\d)/;
