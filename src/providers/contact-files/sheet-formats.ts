import { datePart, type DatePart } from './sheet-dates.ts';

/** What a cell's format says of its number, beyond how it looks. */
export interface NumberFormat {
  /** How the number is a date; null = it is none. */
  datePart: DatePart | null;
  /**
   * Digits that a whole number has at least, by zeros before it, as ids and postal codes are kept; 1 without.
   */
  minDigits: number;
}

export const plainFormat: NumberFormat = { datePart: null, minDigits: 1 };

/** `formats` are the workbook's own, by their number. */
export function numberFormat(formatId: number, formats: ReadonlyMap<number, string>): NumberFormat {
  return { datePart: datePart(formatId, formats), minDigits: minDigits(formats.get(formatId) ?? '') };
}

/** Only of formats that are nothing but zeros, with their country or a part for texts at most. */
function minDigits(code: string): number {
  const [, zeros] = /^(?:\[\$[^\]]*\])?(0{2,})(?:;.*)?$/.exec(code) ?? [];
  return Math.min(zeros?.length ?? 1, maxZeros);
}

/** More digits than a sheet keeps of a number. */
const maxZeros = 20;
