import { isErrorCell } from './error-cell.ts';
import type { CellFinding, FindingCode } from './findings.ts';

export interface ReadIdentifier {
  /** At most `maxLetters` characters; null if there is none. */
  identifier: string | null;
  fault: {
    code: Extract<FindingCode, 'identifier_scientific' | 'identifier_decimal' | 'identifier_too_long'>;
    level: CellFinding['level'];
  } | null;
}

/** Maximum length of a stored identifier. */
const maxLetters = 255;

/**
 * As spreadsheets show a long number. They always write the sign, so an identifier like `12E5` does not
 * match.
 */
const scientific = /^\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;
const wholeWithDecimals = /^\d+[.,]0+$/;

/**
 * Reads an identifier's cell. A failed formula is not an identifier. An identifier that lost digits is kept
 * as written, because the original is unknown.
 */
export function readIdentifier(cell: string): ReadIdentifier {
  const written = cell.trim();
  if (written === '' || isErrorCell(cell)) return { identifier: null, fault: null };
  if (written.length > maxLetters)
    return {
      identifier: written.slice(0, maxLetters),
      fault: { code: 'identifier_too_long', level: 'error' },
    };
  // guarantee: rounded-identifiers-reported
  if (scientific.test(written))
    return { identifier: written, fault: { code: 'identifier_scientific', level: 'warning' } };
  return {
    identifier: written,
    fault: wholeWithDecimals.test(written) ? { code: 'identifier_decimal', level: 'warning' } : null,
  };
}
