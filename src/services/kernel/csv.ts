import { stringify } from 'csv-stringify/sync';

/** A number with a sign, such as a telephone number, is no formula that could do anything. */
const signedNumber = /^[+-]\d+(?:\.\d+)?$/;

/**
 * Lines of a CSV file (RFC 4180, UTF-8). What a spreadsheet would take for a formula begins with an
 * apostrophe: cells hold what callers said.
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
