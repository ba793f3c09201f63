import { decoded } from './encodings.ts';
import { isBlankCell, toRow, type FoundRecord } from './file-rows.ts';
import { limits } from './limits.ts';
import { linesOf } from './lines.ts';
import type { FileRow, StoredFile } from './port.ts';
import { recordsOf } from './records.ts';
import { flagsOf, type TextReading } from './text-rows.ts';

/** The lines of a text that a preview shows. */
export interface FirstRows {
  /** Null if the text has no such line. */
  header: string[] | null;
  above: string[][];
  /** Without blank rows. */
  rows: FileRow[];
}

/**
 * Reads until the last row of the preview, however long the rows are and however many blank ones lie between,
 * within a limit.
 */
export async function firstRows(file: StoredFile, reading: TextReading): Promise<FirstRows> {
  const found: FirstRows = { header: null, above: [], rows: [] };
  let [rowNumber, line] = [0, 0];
  const bytes = file.read({ first: 0, last: Math.min(file.bytes, limits.previewBytes) - 1 });
  for await (const records of recordsOf(linesOf(decoded(bytes, reading.encoding)), reading)) {
    for (const record of records) {
      ({ line } = record);
      if (line < reading.headerLine) {
        if (found.above.length < limits.previewRows) found.above.push(record.cells.slice(0, limits.columns));
        continue;
      }
      if (found.header === null) {
        found.header = record.cells;
        continue;
      }
      rowNumber += 1;
      const row = toRow(
        { line, cells: record.cells, flags: flagsOf(record) },
        { columns: found.header.length, rowNumber, encoding: reading.encoding },
      );
      if (!row.isBlank && found.rows.push(row) === limits.previewRows) return found;
    }
  }
  // The last record of a truncated read may be incomplete.
  if (file.bytes > limits.previewBytes && found.rows.at(-1)?.line === line) found.rows.pop();
  return found;
}

/**
 * The records of a sheet that are needed for the first rows below its header, wherever that is, within a
 * limit. Blank ones far below the beginning are left out.
 */
export async function firstRecords(
  found: AsyncIterable<FoundRecord[]>,
  headerLine: number | null,
): Promise<FoundRecord[]> {
  const first: FoundRecord[] = [];
  // A header that must be detected is among the first records, with at least as many rows below it.
  const [from, max] = headerLine === null ? [0, 2 * limits.previewRows] : [headerLine, limits.previewRows];
  let [seen, shown, above] = [0, 0, 0];
  for await (const records of found) {
    for (const record of records) {
      seen += 1;
      const isBlank = record.cells.every(isBlankCell);
      if (!isBlank && record.line > from) shown += 1;
      if (record.line < from) above += 1;
      const isNeeded =
        record.line < from ? above <= limits.previewRows : !isBlank || seen <= 2 * limits.previewRows;
      if (isNeeded) first.push(record);
    }
    if (shown >= max || seen >= limits.previewRecords) break;
  }
  return first;
}
