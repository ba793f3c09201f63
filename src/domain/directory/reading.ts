/** How the bytes of a contact file become rows: found out at the upload, shown, and changed by people. */
export interface Reading {
  /**
   * Name of the text's encoding, as iconv writes it (`utf8`, `utf16le`, `win1251` …); null for a workbook.
   */
  encoding: string | null;
  /** Null for a workbook. */
  separator: ',' | ';' | '\t' | '|' | null;
  /** Name of the sheet; null for text. */
  sheet: string | null;
  /** Line (text) or row (workbook) of the header, from 1: what stands above it is left out. */
  headerLine: number;
}
