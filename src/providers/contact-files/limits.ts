/** What a contact file may be at most. Whoever hits one is told both the limit and what the file has. */
export const limits = {
  columns: 500,
  /** What a cell of a spreadsheet program can hold. */
  cellCharacters: 32_767,
  /** All cells of a row; it becomes variables of a call, which have to fit into one message. */
  rowCharacters: 262_144,
  /** A text line that goes on beyond this is not kept while it is read. */
  lineCharacters: 4 * 1024 * 1024,
  /**
   * A quoted cell over more lines than this, or more characters, is one whose closing quote was forgotten.
   */
  quotedLines: 1000,
  quotedCharacters: 1024 * 1024,
  previewRows: 50,
  /** What is read for them: of a text as much as the longest rows take, of a sheet so many rows. */
  previewBytes: 16 * 1024 ** 2,
  previewRecords: 50_000,
  /**
   * Of a workbook: entries of its archive, unpacked bytes over packed ones, unpacked bytes in all, its shared
   * texts as they are held, the XML of one of them, of one row.
   */
  entries: 10_000,
  ratio: 250,
  unpackedBytes: 4 * 1024 ** 3,
  sharedTextBytes: 64 * 1024 ** 2,
  sharedTextXmlBytes: 8 * 1024 ** 2,
  sheetRowBytes: 16 * 1024 ** 2,
  sheetRows: 1_048_576,
} as const;

/** Of a cell that is too long, only so much is shown. */
export const shownCharacters = 200;
