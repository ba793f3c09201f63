import type { Reading } from '../../domain/directory/reading.ts';
import { encode, markOf } from './encodings.ts';
import type { FileRow, StoredFile } from './port.ts';
import { marksOf, rewrittenLine, workbookLine } from './rewrite.ts';
import { textRows, toTextReading } from './text-rows.ts';
import { workbookRows } from './workbook-file.ts';

export type IsBlanked = (row: FileRow) => boolean;

/**
 * Rows are counted from the header, so every line that is removed, above it or between rows, is left as a
 * blank line.
 */
export async function* blankText(
  file: StoredFile,
  reading: Reading,
  isBlanked: IsBlanked,
): AsyncGenerator<Uint8Array> {
  const text = toTextReading(reading);
  const { mark, lineEnd } = await marksOf(file, text.encoding);
  if (mark.length > 0) yield mark;
  const places = new Places(lineEnd);
  for await (const { header, rows } of textRows(file.read(), text)) {
    let out = places.begin(reading.headerLine, () => rewrittenLine(header, text.separator) + lineEnd);
    for (const row of rows) {
      const { separator } = text;
      out +=
        places.next(row.row.rowNumber) +
        (isBlanked(row.row) ? '' : rewrittenLine(row, separator, header.length)) +
        lineEnd;
    }
    if (out !== '') yield encode(out, text.encoding);
  }
}

/** The same for a workbook, as UTF-8 CSV with a byte-order mark. */
export async function* blankWorkbook(
  file: StoredFile,
  reading: Reading,
  isBlanked: IsBlanked,
): AsyncGenerator<Uint8Array> {
  yield markOf('utf8');
  const places = new Places('\r\n');
  for await (const { header, rows } of workbookRows(file, reading)) {
    let out = places.begin(reading.headerLine, () => workbookLine(header, header.length));
    for (const row of rows)
      out += places.next(row.rowNumber) + (isBlanked(row) ? '\r\n' : workbookLine(row.cells, header.length));
    if (out !== '') yield encode(out, 'utf8');
  }
}

/** Blank lines for what a file leaves out, so that each row keeps its number. */
class Places {
  readonly #blank: string;
  #isBegun = false;
  #next = 1;

  constructor(blank: string) {
    this.#blank = blank;
  }

  begin(headerLine: number, header: () => string): string {
    if (this.#isBegun) return '';
    this.#isBegun = true;
    return this.#blank.repeat(headerLine - 1) + header();
  }

  next(rowNumber: number): string {
    const missing = Math.max(0, rowNumber - this.#next);
    this.#next = rowNumber + 1;
    return this.#blank.repeat(missing);
  }
}
