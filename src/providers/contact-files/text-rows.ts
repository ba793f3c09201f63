import type { Reading } from '../../domain/directory/reading.ts';
import { InvariantError } from '../../domain/errors.ts';
import { decoded, isEncoding, type Encoding } from './encodings.ts';
import { toRow } from './file-rows.ts';
import { checkedHeader } from './header.ts';
import { linesOf } from './lines.ts';
import { ContactFileError, type CellFlag, type FileRow } from './port.ts';
import { recordsOf, type TextRecord } from './records.ts';
import type { Separator } from './separator.ts';

/** How to read a text, with all fields set. */
export interface TextReading {
  encoding: Encoding;
  separator: Separator;
  headerLine: number;
}

export interface TextRow {
  row: FileRow;
  record: TextRecord;
}

/** Rows of a text, each with its text in the file. The header comes with the first ones. */
export async function* textRows(
  bytes: AsyncIterable<Uint8Array>,
  reading: TextReading,
): AsyncGenerator<{ header: string[]; rows: TextRow[] }> {
  let header: string[] | null = null;
  let rowNumber = 0;
  for await (const records of recordsOf(linesOf(decoded(bytes, reading.encoding)), reading)) {
    const rows: TextRow[] = [];
    for (const record of records) {
      if (record.line < reading.headerLine) continue;
      if (header === null) {
        header = checkedHeader(record.cells);
        continue;
      }
      rowNumber += 1;
      rows.push({
        row: toRow(
          { line: record.line, cells: record.cells, flags: flagsOf(record) },
          { columns: header.length, rowNumber, isSheet: false },
        ),
        record,
      });
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
  const isDamaged = record.text.includes('\uFFFD');
  if (record.fault === null && !isDamaged) return null;
  const flags: CellFlag[] = record.fault === null ? [] : [{ column: null, code: record.fault }];
  if (isDamaged)
    flags.push({ column: record.cells.findIndex((cell) => cell.includes('\uFFFD')), code: 'text_damaged' });
  return flags;
}
