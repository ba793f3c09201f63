import type { Reading } from '../../domain/directory/reading.ts';
import { encode, markOf, markedEncoding, type Encoding } from './encodings.ts';
import { harmless } from './formulas.ts';
import type { AddedColumns, StoredFile } from './port.ts';
import { beginning } from './sample.ts';
import { textRows, toTextReading, type TextRow } from './text-rows.ts';

/**
 * Rows of a text as they are in the file, byte for byte if their quotes and cells are in order and no cell is
 * a formula for a spreadsheet program: an apostrophe goes before such a cell. Added cells
 * come after the header's columns, before the extra cells of a row, so that they are in their column. The
 * encoding, the byte-order mark, the separator and the line ends are those of the file.
 */
export async function* rewriteText(
  file: StoredFile,
  reading: Reading,
  added: AddedColumns,
): AsyncGenerator<Uint8Array> {
  const text = toTextReading(reading);
  const { mark, lineEnd } = await marksOf(file, text.encoding);
  const line = (parts: readonly string[]): string => parts.join(text.separator) + lineEnd;
  if (mark.length > 0) yield mark;
  let isBegun = false;
  for await (const { header, rows } of textRows(file.read(), text)) {
    const kept = added.columns ?? header.length;
    let out = isBegun
      ? ''
      : line(
          [...header.slice(0, kept), ...added.header]
            .map(harmless)
            .map((cell) => quoted(cell, text.separator)),
        );
    isBegun = true;
    const extras = await added.cellsOf(rows);
    for (const [index, row] of rows.entries()) {
      const extra = extras[index] ?? null;
      if (extra !== null)
        // guarantee: added-cells-are-not-formulas
        out += line(
          rewritten(withoutFormulas(row), extra.map(harmless), {
            columns: header.length,
            kept,
            separator: text.separator,
          }),
        );
    }
    if (out !== '') yield encode(out, text.encoding);
  }
}

/** The row, with an apostrophe before every cell that a spreadsheet program would read as a formula. */
function withoutFormulas(row: TextRow): TextRow {
  const cells = row.record.cells.map(harmless);
  // guarantee: error-file-has-no-formulas
  if (cells.every((cell, index) => cell === row.record.cells[index])) return row;
  return { record: { ...row.record, cells }, row: { ...row.row, flags: row.row.flags ?? [] } };
}

/** A header, or a row of a text, as `rewriteText` writes it, without the line end. */
export function rewrittenLine(line: readonly string[] | TextRow, separator: string, columns = 0): string {
  const parts =
    'record' in line
      ? rewritten(line, [], { columns, kept: columns, separator })
      : line.map((cell) => quoted(cell, separator));
  return parts.join(separator);
}

/** A row of a workbook as CSV. Every cell is unchanged, so that a reader finds what was in the workbook. */
export function workbookLine(cells: readonly string[], columns: number): string {
  const all = [...cells, ...Array.from({ length: Math.max(0, columns - cells.length) }, () => '')];
  // guarantee: erasure-keeps-other-rows-text
  return `${all.map((cell) => quoted(cell, ',')).join(',')}\r\n`;
}

/** The parts of a row's line, each as it is written. */
function rewritten(
  { record, row }: TextRow,
  added: readonly string[],
  { columns, kept, separator }: { columns: number; kept: number; separator: string },
): string[] {
  const extra = added.map((cell) => quoted(cell, separator));
  // guarantee: error-file-copies-rows
  if (row.flags === undefined && !row.isBlank && kept >= columns) return [record.text, ...extra];
  const named = Array.from({ length: columns }, (_, index) => record.cells[index] ?? '');
  return [
    ...named.slice(0, kept).map((cell) => quoted(cell, separator)),
    ...extra,
    ...record.cells.slice(columns).map((cell) => quoted(cell, separator)),
  ];
}

function quoted(cell: string, separator: string): string {
  return /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The byte-order mark of the file, and the end of its first line. */
export async function marksOf(
  file: StoredFile,
  encoding: Encoding,
): Promise<{ mark: Uint8Array; lineEnd: string }> {
  const head = await beginning(file, 65_536);
  const mark = markedEncoding(head) === encoding ? markOf(encoding) : new Uint8Array();
  // In a wide encoding, every other byte of a line's end is zero.
  return { mark, lineEnd: lineEndOf(Buffer.from(head).toString('latin1').replaceAll('\0', '')) };
}

function lineEndOf(start: string): string {
  const at = start.indexOf('\n');
  if (at === -1) return start.includes('\r') ? '\r' : '\n';
  return start[at - 1] === '\r' ? '\r\n' : '\n';
}
