/** Limits of a contact file. Error messages name both the limit and the file's value. */
export const limits = {
  columns: 500,
  /** The maximum of a sheet. Of a text's line, further cells are dropped. */
  sheetColumns: 16_384,
  /** The maximum of a spreadsheet cell. */
  cellCharacters: 32_767,
  /** All cells of a row. It becomes variables of a call, which must fit into one message. */
  rowCharacters: 262_144,
  /** Of a longer line, the rest is dropped while it is read. */
  lineCharacters: 2 * 1024 * 1024,
  /** A quoted cell with more lines or characters has lost its closing quote. */
  quotedLines: 1000,
  quotedCharacters: 1024 * 1024,
  previewRows: 50,
  /** What is read for them: of a text as much as the longest rows take, of a sheet this many rows. */
  previewBytes: 16 * 1024 ** 2,
  previewRecords: 50_000,
  /** Entries of a workbook's archive. */
  entries: 10_000,
  /** Bytes of the names of all entries. */
  entryNameBytes: 4 * 1024 ** 2,
  /** Sheets and relations. */
  parts: 10_000,
  /** Formats of cells. Spreadsheet programs stop at 65,490. */
  styles: 100_000,
  /** Unpacked to packed bytes. */
  ratio: 250,
  /** All entries, unpacked. */
  unpackedBytes: 4 * 1024 ** 3,
  /** Memory for the texts that cells share. */
  sharedTextBytes: 64 * 1024 ** 2,
  /** XML of one shared text. */
  sharedTextXmlBytes: 8 * 1024 ** 2,
  /** XML of one row. */
  sheetRowBytes: 16 * 1024 ** 2,
  /** XML of one tag, text or comment. */
  xmlPieceBytes: 1024 ** 2,
  xmlDepth: 200,
  sheetRows: 1_048_576,
} as const;

/** How much of a cell that is too long is shown. */
export const shownCharacters = 200;
