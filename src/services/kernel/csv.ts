import { stringify } from 'csv-stringify/sync';

/** A signed number, such as a phone number, is a harmless formula. */
const signedNumber = /^[+-]\d+(?:\.\d+)?$/;

/**
 * Lines of a CSV file (RFC 4180, UTF-8). Puts an apostrophe before cells that a spreadsheet would read as a
 * formula, because cells contain what callers said.
 */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: '\r\n',
      escape_formulas: true,
      cast: { string: (value) => (signedNumber.test(value) ? { value, escape_formulas: false } : value) },
    },
  );
}
