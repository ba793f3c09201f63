import { repairHeader } from '../../domain/directory/repair-columns.ts';

/** A signed number, also a telephone number however it is written: no letter, so no function and no reference. */
const signedNumber = /^[+-][^\p{L}=@|!]*$/u;

/**
 * A cell that a spreadsheet program reads as text. A cell that begins like a formula gets an apostrophe,
 * except for signed numbers.
 */
export function harmless(cell: string): string {
  return /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) && !signedNumber.test(cell) ? `'${cell}` : cell;
}

/** The cell without the apostrophe of `harmless`. */
export function asInFile(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && harmless(text) === cell ? text : cell;
}

/** True for the header of an error file, whose cells have the apostrophes of `harmless`. */
export function isErrorFile(header: readonly string[]): boolean {
  const first = header.lastIndexOf(repairHeader[0] ?? '');
  return first >= 0 && repairHeader.every((name, index) => header[first + index] === name);
}
