/**
 * How the bytes of a contact file become rows. Detected at the upload, shown to people, who can change it.
 */
export interface Reading {
  /**
   * Name of the text's encoding, as iconv writes it (`utf8`, `utf16le`, `win1251` …); null for a workbook.
   */
  encoding: string | null;
  /** The encoding is a guess that nobody has confirmed. */
  isGuess?: boolean;
  /** Null for a workbook. */
  separator: ',' | ';' | '\t' | '|' | null;
  /** Name of the sheet; null for text. */
  sheet: string | null;
  /** Line (text) or row (workbook) of the header, from 1. What stands above it is ignored. */
  headerLine: number;
}
