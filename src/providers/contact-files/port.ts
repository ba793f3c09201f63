import type { ByteRange } from '../../domain/files/range.ts';
import type { FindingCode } from '../../domain/directory/findings.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { ValidationError } from '../../domain/errors.ts';

/** A contact file in the storage, with the storage's operations bound to its key. */
export interface StoredFile {
  bytes: number;
  read: (range?: ByteRange) => AsyncIterable<Uint8Array>;
}

/** What the reader noticed about a cell. `column` counts from 0; null = the whole row. */
export interface CellFlag {
  column: number | null;
  code: Extract<
    FindingCode,
    | 'quotes_broken'
    | 'cells_missing'
    | 'cells_extra'
    | 'cell_too_long'
    | 'text_damaged'
    | 'formula_error'
    | 'formula_result'
    | 'digits_lost'
    | 'phone_date'
    | 'hidden_row'
  >;
}

export interface FileRow {
  /** Where it begins in the file, from 1: the line of a text, the row of a sheet. */
  line: number;
  /** 1 = the first record below the header. Blank ones count (contract 11.4). */
  rowNumber: number;
  isBlank: boolean;
  /** Untrimmed texts; as many as there are columns, none for a blank row. */
  cells: string[];
  flags?: CellFlag[];
}

/** What is known of a row before it is judged. Its cells cost more than its place. */
export type PlacedRow = Readonly<Pick<FileRow, 'line' | 'rowNumber' | 'cells'>>;

export type RefusalCode =
  | 'empty'
  | 'not_a_table'
  | 'old_workbook'
  | 'locked_workbook'
  | 'other_workbook'
  | 'too_large_inside'
  | 'damaged'
  | 'no_such_sheet'
  | 'no_such_encoding'
  | 'no_header'
  | 'header_too_long'
  | 'too_many_columns';

export interface ReadFile {
  kind: 'csv' | 'xlsx';
  /** What was requested, and what was detected for the rest. */
  reading: Reading;
  /** What people may choose instead, the likeliest first. */
  choices: { encodings: string[]; separators: string[]; sheets: { name: string; isHidden: boolean }[] };
  /** Unique names of the columns (`nameColumns`). */
  columns: string[];
  /** The first 50 rows below the header that are not blank. */
  preview: FileRow[];
  /** Lines above the header, which are ignored. */
  above: string[][];
  /**
   * Why the encoding is only a guess, with a line of the text under each candidate; null = it is certain or
   * chosen. Also the first of the warnings.
   */
  doubt: string | null;
  /** If this sheet has no column with the name of a phone column: another sheet that has one. */
  otherSheet: string | null;
  /** What people should check before they continue. */
  warnings: string[];
}

export type Inspection =
  | ReadFile
  /** `message` names the fault and the remedy. */
  | { kind: 'refused'; code: RefusalCode; message: string };

/**
 * Columns that are added after those of the file. `cellsOf` gets some hundred rows at a time and answers for
 * each; null = the row is left out.
 */
export interface AddedColumns {
  header: string[];
  /** Columns of the file that are kept; absent = all. */
  columns?: number;
  cellsOf: (rows: readonly PlacedRow[]) => Promise<(string[] | null)[]>;
}

/**
 * A file turned out to be unreadable while its rows were read. The message is for its owner, and contains no
 * text of a cell.
 */
export class ContactFileError extends ValidationError {
  readonly fault: RefusalCode;

  constructor(fault: RefusalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.fault = fault;
  }
}

/**
 * People's contact files: CSV with any of four separators and any usual encoding, and XLSX. The kind of a
 * file comes from its bytes, never from its name. Everything streams; nothing is retried. Faults of the
 * storage pass through unchanged.
 */
export interface ContactFiles {
  /**
   * Reads as much of the file as a preview needs. `wished` is followed if possible. An encoding may be
   * requested by any usual name; the answer has our name.
   */
  inspect: (file: StoredFile, wished?: Partial<Reading>) => Promise<Inspection>;
  /** All rows in order, some hundred at a time. Throws ContactFileError. */
  rows: (file: StoredFile, reading: Reading) => AsyncIterable<FileRow[]>;
  /** The name of a text's encoding for `Content-Type`. */
  charsetOf: (reading: Reading) => string;
  /**
   * The rows of a text that `cellsOf` keeps, as they are in the file, with the added columns after those of
   * the header, in the encoding and with the separator of the reading. Added cells cannot be formulas. Throws
   * ContactFileError.
   */
  rewrite: (file: StoredFile, reading: Reading, added: AddedColumns) => AsyncIterable<Uint8Array>;
  /**
   * The file without the content of some rows and of lines above the header; these stay as blank lines. All
   * other rows are unchanged. `reading`: how to read the new file; a workbook becomes UTF-8 CSV. Throws
   * ContactFileError while the file is read.
   */
  blank: (
    file: StoredFile,
    reading: Reading,
    isBlanked: (row: FileRow) => boolean,
  ) => { reading: Reading; bytes: AsyncIterable<Uint8Array> };
}
