import type { Reading } from '../../domain/directory/reading.ts';
import { InvariantError } from '../../domain/errors.ts';
import { decoded, isEncoding, type Encoding } from './encodings.ts';
import { toRow } from './file-rows.ts';
import { asInFile, isErrorFile } from './formulas.ts';
import { checkedHeader } from './header.ts';
import { linesOf } from './lines.ts';
import { ContactFileError, type CellFlag, type FileRow, type PlacedRow } from './port.ts';
import { recordsOf, type TextRecord } from './records.ts';
import type { Separator } from './separator.ts';

/** How to read a text, with all fields set. */
export interface TextReading {
  encoding: Encoding;
  separator: Separator;
  headerLine: number;
}

export interface TextRow {
  readonly row: FileRow;
  readonly record: TextRecord;
}

interface Shape {
  columns: number;
  encoding: Encoding;
  /** Whether the file is an error file that comes back. */
  isRepair: boolean;
}

/** A row that is judged when it is asked for, because of an error file, most rows are only passed over. */
class FoundTextRow implements TextRow, PlacedRow {
  readonly record: TextRecord;
  readonly rowNumber: number;
  readonly #shape: Shape;
  #row: FileRow | null = null;

  constructor(record: TextRecord, rowNumber: number, shape: Shape) {
    this.record = record;
    this.rowNumber = rowNumber;
    this.#shape = shape;
  }

  get line(): number {
    return this.record.line;
  }

  get cells(): string[] {
    return this.row.cells;
  }

  get row(): FileRow {
    const { line, cells } = this.record;
    const { isRepair, ...shape } = this.#shape;
    this.#row ??= toRow(
      { line, cells: isRepair ? cells.map(asInFile) : cells, flags: flagsOf(this.record) },
      { ...shape, rowNumber: this.rowNumber },
    );
    return this.#row;
  }
}

/** Rows of a text, each with its text in the file. The header comes with the first ones. */
export async function* textRows(
  bytes: AsyncIterable<Uint8Array>,
  reading: TextReading,
): AsyncGenerator<{ header: string[]; rows: FoundTextRow[] }> {
  let header: string[] | null = null;
  let shape: Shape = { columns: 0, encoding: reading.encoding, isRepair: false };
  let rowNumber = 0;
  for await (const records of recordsOf(linesOf(decoded(bytes, reading.encoding)), reading)) {
    const rows: FoundTextRow[] = [];
    for (const record of records) {
      if (record.line < reading.headerLine) continue;
      if (header === null) {
        header = checkedHeader(record.cells);
        shape = { ...shape, columns: header.length, isRepair: isErrorFile(header) };
        continue;
      }
      rowNumber += 1;
      rows.push(new FoundTextRow(record, rowNumber, shape));
    }
    if (header !== null && rows.length > 0) yield { header, rows };
  }
  if (header === null)
    throw new ContactFileError(
      'no_header',
      `The file has no line ${reading.headerLine}; choose the line that names the columns`,
    );
}

/** Throws if a stored reading does not fit a text. */
export function toTextReading({ encoding, separator, headerLine }: Reading): TextReading {
  if (!isEncoding(encoding) || separator === null)
    throw new InvariantError('The reading is not that of a text');
  return { encoding, separator, headerLine };
}

export function flagsOf(record: TextRecord): CellFlag[] | null {
  return record.fault === null ? null : [{ column: null, code: record.fault }];
}
