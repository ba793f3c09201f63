import { nameColumns } from '../../domain/directory/name-columns.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { InvariantError } from '../../domain/errors.ts';
import { encodingNamed } from './encoding-names.ts';
import { decoded, encodings, isEncoding, type Encoding } from './encodings.ts';
import { toRow } from './file-rows.ts';
import { guessEncoding } from './guess-encoding.ts';
import { checkedHeader, headerFault, warningsOf } from './header.ts';
import { headerIndex } from './header-line.ts';
import { refused } from './kind.ts';
import { limits } from './limits.ts';
import { linesOf } from './lines.ts';
import { ContactFileError, type CellFlag, type FileRow, type Inspection, type StoredFile } from './port.ts';
import { recordsOf, type TextRecord } from './records.ts';
import { takeSample, type Sample } from './sample.ts';
import { declaredSeparator, rankSeparators, separators, type Separator } from './separator.ts';

/** A text's reading, complete. */
interface TextReading {
  encoding: Encoding;
  separator: Separator;
  headerLine: number;
}

/** Finds out how a text is to be read, and shows its first rows. */
export async function inspectText(file: StoredFile, wished: Partial<Reading>): Promise<Inspection> {
  const wishedEncoding = typeof wished.encoding === 'string' ? encodingNamed(wished.encoding) : undefined;
  if (wishedEncoding === null) return refused('no_such_encoding', `No text is read as '${wished.encoding}'; choose one of ${encodings.join(', ')}`);
  const sample = await takeSample(file);
  const guess = guessEncoding(sample.letters);
  const encoding = wishedEncoding ?? guess.ranked[0] ?? 'utf8';
  const lines = (await linesOfSample(sample, encoding, file.bytes)).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const declared = declaredSeparator(lines[0] ?? '');
  const ranked = [...new Set([...(declared === null ? [] : [declared]), ...rankSeparators(lines)])];
  const separator = separators.find((each) => each === wished.separator) ?? ranked[0] ?? ',';
  const headerLine = wished.headerLine ?? (await suggestHeaderLine(lines, separator, declared === null ? 1 : 2));
  if (headerLine === null) return refused('no_header', 'The file has no text but blank lines; export the contacts again, with one line of column names above them');
  const reading = { encoding, separator, headerLine };
  const { header, above, rows } = await firstRows(sample, reading, file.bytes);
  if (header === null) return refused('no_header', `The file has no line ${headerLine}; choose the line that names the columns`);
  const tooWide = headerFault(header);
  if (tooWide !== null) return tooWide;
  const warnings = warningsOf({ rows, header, guessedEncoding: guess.isUncertain && wishedEncoding === undefined ? encoding : null });
  return {
    kind: 'csv',
    reading: { ...reading, sheet: null },
    choices: { encodings: [...new Set([...guess.ranked, ...encodings])], separators: ranked, sheets: [] },
    columns: nameColumns(header),
    preview: rows,
    above,
    warnings,
  };
}

/** All rows of a text. */
export async function* rowsOfText(file: StoredFile, reading: Reading): AsyncGenerator<FileRow[]> {
  for await (const { rows } of textRows(file.read(), toTextReading(reading))) yield rows.map(({ row }) => row);
}

export interface TextRow {
  row: FileRow;
  record: TextRecord;
}

/** Rows of a text together with how they are written there; the header comes with the first ones. */
export async function* textRows(bytes: AsyncIterable<Uint8Array>, reading: TextReading): AsyncGenerator<{ header: string[]; rows: TextRow[] }> {
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
      rows.push({ row: toRow({ line: record.line, cells: record.cells, flags: flagsOf(record) }, { columns: header.length, rowNumber, isSheet: false }), record });
    }
    if (header !== null && rows.length > 0) yield { header, rows };
  }
  if (header === null) throw new ContactFileError('no_header', `The file has no line ${reading.headerLine}; choose the line that names the columns`);
}

/** Throws where somebody changed a reading to one that was never shown. */
export function toTextReading({ encoding, separator, headerLine }: Reading): TextReading {
  if (!isEncoding(encoding) || separator === null) throw new InvariantError('The reading is none of a text');
  return { encoding, separator, headerLine };
}

function flagsOf(record: TextRecord): CellFlag[] | null {
  const isDamaged = record.text.includes('\uFFFD');
  if (record.fault === null && !isDamaged) return null;
  const flags: CellFlag[] = record.fault === null ? [] : [{ column: null, code: record.fault }];
  if (isDamaged) flags.push({ column: record.cells.findIndex((cell) => cell.includes('\uFFFD')), code: 'text_damaged' });
  return flags;
}

async function linesOfSample({ head }: Sample, encoding: Encoding, fileBytes: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of linesOf(decoded(once(head), encoding))) lines.push(...batch.lines);
  // The last line of a piece is a piece of a line.
  if (head.length < fileBytes && lines.length > 1) lines.pop();
  return lines;
}

async function suggestHeaderLine(lines: readonly string[], separator: Separator, from: number): Promise<number | null> {
  const text = lines.slice(from - 1, from - 1 + 2 * limits.previewRows).join('\n');
  const records: TextRecord[] = [];
  for await (const batch of recordsOf(linesOf(once(text)), { separator, headerLine: 1 })) records.push(...batch);
  const index = headerIndex(records.map(({ cells }) => cells));
  const line = index === null ? undefined : records[index]?.line;
  return line === undefined ? null : line + from - 1;
}

async function firstRows({ head }: Sample, reading: TextReading, fileBytes: number): Promise<{ header: string[] | null; above: string[][]; rows: FileRow[] }> {
  const records: TextRecord[] = [];
  for await (const batch of recordsOf(linesOf(decoded(once(head), reading.encoding)), reading)) records.push(...batch);
  if (head.length < fileBytes && records.length > 2) records.pop();
  const above = records.filter(({ line }) => line < reading.headerLine).map(({ cells }) => cells.slice(0, limits.columns));
  const [header, ...below] = records.filter(({ line }) => line >= reading.headerLine);
  if (header === undefined) return { header: null, above, rows: [] };
  const shown = below.slice(0, limits.previewRows);
  return { header: header.cells, above: above.slice(0, limits.previewRows), rows: shown.map((record, index) => toRow({ line: record.line, cells: record.cells, flags: flagsOf(record) }, { columns: header.cells.length, rowNumber: index + 1, isSheet: false })) };
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield await Promise.resolve(item);
}
