import type { ByteRange } from '../../domain/files/range.ts';
import type { FindingCode } from '../../domain/directory/findings.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { ValidationError } from '../../domain/errors.ts';

/** A contact file where it lies; the storage's verbs bound to one key. */
export interface StoredFile {
  bytes: number;
  read: (range?: ByteRange) => AsyncIterable<Uint8Array>;
}

/** What was noticed about a cell while its file was read; `column` counts from 0, null = the whole row. */
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
    | 'hidden_row'
  >;
}

export interface FileRow {
  /** Where it begins in the file, from 1: the line of a text, the row of a sheet. */
  line: number;
  /** 1 = the first record below the header; blank ones are counted (contract 11.4). */
  rowNumber: number;
  isBlank: boolean;
  /** Texts as the file has them, nothing trimmed; as many as there are columns, none for a blank row. */
  cells: string[];
  flags?: CellFlag[];
}

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
  /** What was wished for, and what was found out about the rest. */
  reading: Reading;
  /** What people may choose instead, likeliest first. */
  choices: { encodings: string[]; separators: string[]; sheets: { name: string; isHidden: boolean }[] };
  /** Names of the columns, each once (`nameColumns`). */
  columns: string[];
  /** The first 50 rows below the header that are not blank. */
  preview: FileRow[];
  /** Lines above the header that are left out. */
  above: string[][];
  /** What people should look at before they go on. */
  warnings: string[];
}

export type Inspection =
  | ReadFile
  /** `message` names the fault and the fix. */
  | { kind: 'refused'; code: RefusalCode; message: string };

/**
 * Columns that are put behind those of the file; `cellsOf` is asked for some hundred rows at a time and
 * answers for each, null = it is left out.
 */
export interface AddedColumns {
  header: string[];
  cellsOf: (rows: FileRow[]) => Promise<(string[] | null)[]>;
}

/**
 * A file turned out to be unreadable while its rows were read; the message is for its owner, and names no
 * cell's text.
 */
export class ContactFileError extends ValidationError {
  readonly fault: RefusalCode;

  constructor(fault: RefusalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.fault = fault;
  }
}

/**
 * Contact files of people: CSV with any of four separators and any usual encoding, and XLSX. What a file is
 * comes from its bytes, never from its name. Everything streams; nothing is tried again. Faults of the
 * storage pass through as they are.
 */
export interface ContactFiles {
  /**
   * Reads as much of the file as is needed to show it; `wished` is taken as it is where it can be. An
   * encoding may be wished for by any usual name; the answer has ours.
   */
  inspect: (file: StoredFile, wished?: Partial<Reading>) => Promise<Inspection>;
  /** All rows in their order, some hundred at a time. Throws ContactFileError. */
  rows: (file: StoredFile, reading: Reading) => AsyncIterable<FileRow[]>;
  /**
   * The rows of a text that `cellsOf` keeps, as they are in the file, with the added columns behind those of
   * the header, in the encoding and with the separator of the reading. Added cells cannot be formulas. Throws
   * ContactFileError.
   */
  rewrite: (file: StoredFile, reading: Reading, added: AddedColumns) => AsyncIterable<Uint8Array>;
  /**
   * The file without the content of some rows, which keep their places as blank ones; so do lines above the
   * header, of which nothing is kept. All other rows are as they were. `reading`: how the new file is to be
   * read; a workbook becomes UTF-8 CSV. Throws ContactFileError while it is read.
   */
  blank: (
    file: StoredFile,
    reading: Reading,
    isBlanked: (row: FileRow) => boolean,
  ) => { reading: Reading; bytes: AsyncIterable<Uint8Array> };
}
