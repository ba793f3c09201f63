import { nameColumns } from '../../domain/directory/name-columns.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { encodingNamed } from './encoding-names.ts';
import { decoded, encodings, type Encoding } from './encodings.ts';
import { firstRows } from './first-rows.ts';
import { guessEncoding } from './guess-encoding.ts';
import { headerFault, warningsOf } from './header.ts';
import { headerIndex } from './header-line.ts';
import { refused } from './kind.ts';
import { limits } from './limits.ts';
import { linesOf } from './lines.ts';
import type { FileRow, Inspection, StoredFile } from './port.ts';
import { recordsOf, type TextRecord } from './records.ts';
import { beginning } from './sample.ts';
import { shapeWarnings } from './shape-warnings.ts';
import { declaredSeparator, rankSeparators, separators, type Separator } from './separator.ts';
import { textRows, toTextReading } from './text-rows.ts';

const headBytes = 256 * 1024;

/** Detects how to read a text, and shows its first rows. */
export async function inspectText(file: StoredFile, wished: Partial<Reading>): Promise<Inspection> {
  const wishedEncoding = typeof wished.encoding === 'string' ? encodingNamed(wished.encoding) : undefined;
  // guarantee: chosen-encoding-never-replaced
  if (wishedEncoding === null)
    return refused(
      'no_such_encoding',
      `The encoding '${wished.encoding}' is not supported; choose one of ${encodings.join(', ')}`,
    );
  const head = await beginning(file, headBytes);
  const isChosen = wishedEncoding !== undefined && wished.isGuess !== true;
  const guess = isChosen ? { ranked: [wishedEncoding], doubt: null } : await guessEncoding(file, head);
  const encoding = wishedEncoding ?? guess.ranked[0] ?? 'utf8';
  const lines = (await linesOfHead(head, encoding, file.bytes)).map((line) =>
    line.endsWith('\r') ? line.slice(0, -1) : line,
  );
  const declared = declaredSeparator(lines[0] ?? '');
  const ranked = [...new Set([...(declared === null ? [] : [declared]), ...rankSeparators(lines)])];
  const separator = separators.find((each) => each === wished.separator) ?? ranked[0] ?? ',';
  const headerLine =
    wished.headerLine ?? (await suggestHeaderLine(lines, separator, declared === null ? 1 : 2));
  if (headerLine === null)
    return refused(
      'no_header',
      'The file has only blank lines; export the contacts again, with one line of column names above them',
    );
  const reading = { encoding, separator, headerLine };
  const { header, above, rows } = await firstRows(file, reading);
  if (header === null)
    return refused('no_header', `The file has no line ${headerLine}; choose the line that names the columns`);
  const tooWide = headerFault(header);
  if (tooWide !== null) return tooWide;
  return {
    kind: 'csv',
    reading: { ...reading, sheet: null, ...(guess.doubt === null ? {} : { isGuess: true }) },
    choices: { encodings: [...new Set([...guess.ranked, ...encodings])], separators: ranked, sheets: [] },
    columns: nameColumns(header),
    preview: rows,
    above,
    doubt: guess.doubt,
    otherSheet: null,
    warnings: [
      ...(guess.doubt === null ? [] : [guess.doubt]),
      ...warningsOf({ rows, header, encoding }),
      ...shapeWarnings({ header, headerLine, rows, isHeaderWished: wished.headerLine !== undefined }),
    ],
  };
}

/** All rows of a text. */
export async function* rowsOfText(file: StoredFile, reading: Reading): AsyncGenerator<FileRow[]> {
  for await (const { rows } of textRows(file.read(), toTextReading(reading)))
    yield rows.map(({ row }) => row);
}

async function linesOfHead(head: Uint8Array, encoding: Encoding, fileBytes: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of linesOf(decoded(once(head), encoding))) lines.push(...batch.lines);
  // The last line of a truncated read may be incomplete.
  if (head.length < fileBytes && lines.length > 1) lines.pop();
  return lines;
}

async function suggestHeaderLine(
  lines: readonly string[],
  separator: Separator,
  from: number,
): Promise<number | null> {
  const text = lines.slice(from - 1, from - 1 + 2 * limits.previewRows).join('\n');
  const records: TextRecord[] = [];
  for await (const batch of recordsOf(linesOf(once(text)), { separator, headerLine: 1 }))
    records.push(...batch);
  const index = headerIndex(records.map(({ cells }) => cells));
  const line = index === null ? undefined : records[index]?.line;
  return line === undefined ? null : line + from - 1;
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield await Promise.resolve(item);
}
