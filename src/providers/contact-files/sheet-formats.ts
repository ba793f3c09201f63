import { datePart, type DatePart } from './sheet-dates.ts';

/** What a cell's format says about its number, beyond its looks. */
export interface NumberFormat {
  /** Which part of a date the number shows; null = it is not a date. */
  datePart: DatePart | null;
  /**
   * Minimum digits of an integer, filled with leading zeros, as in ids and postal codes; 1 = no zeros are
   * added.
   */
  minDigits: number;
}

export const plainFormat: NumberFormat = { datePart: null, minDigits: 1 };

/** `formats` are the workbook's own, by their number. */
export function numberFormat(formatId: number, formats: ReadonlyMap<number, string>): NumberFormat {
  return { datePart: datePart(formatId, formats), minDigits: minDigits(formats.get(formatId) ?? '') };
}

/** Only for formats of zeros alone, apart from a country or a section for texts. */
function minDigits(code: string): number {
  const [, zeros] = /^(?:\[\$[^\]]*\])?(0{2,})(?:;.*)?$/.exec(code) ?? [];
  return Math.min(zeros?.length ?? 1, maxZeros);
}

/** More digits than a sheet keeps of a number. */
const maxZeros = 20;
