import { isErrorCell } from './error-cell.ts';
import type { CellFinding, FindingCode } from './findings.ts';

export interface ReadIdentifier {
  /** At most `maxLetters`; null without one. */
  identifier: string | null;
  fault: {
    code: Extract<FindingCode, 'identifier_scientific' | 'identifier_decimal' | 'identifier_too_long'>;
    level: CellFinding['level'];
  } | null;
}

/** What is kept of an identifier. */
const maxLetters = 255;

/**
 * As spreadsheets show a long number: the sign is always there, so that an identifier like `12E5` is none.
 */
const scientific = /^\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;
const wholeWithDecimals = /^\d+[.,]0+$/;

/**
 * What an identifier's cell says. A failed formula is no identifier; one whose digits are lost is kept as it
 * is written, because nobody can tell what it was.
 */
export function readIdentifier(cell: string): ReadIdentifier {
  const written = cell.trim();
  if (written === '' || isErrorCell(cell)) return { identifier: null, fault: null };
  if (written.length > maxLetters)
    return {
      identifier: written.slice(0, maxLetters),
      fault: { code: 'identifier_too_long', level: 'error' },
    };
  // guarantee: identifiers-spreadsheet-made-alike
  if (scientific.test(written))
    return { identifier: written, fault: { code: 'identifier_scientific', level: 'warning' } };
  return {
    identifier: written,
    fault: wholeWithDecimals.test(written) ? { code: 'identifier_decimal', level: 'warning' } : null,
  };
}
