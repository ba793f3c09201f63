import { nameColumns } from '../../domain/directory/name-columns.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { withArchive, type Archive } from './archive.ts';
import { toRow, type FoundRecord } from './file-rows.ts';
import { firstRecords } from './first-rows.ts';
import { checkedHeader, headerFault, warningsOf } from './header.ts';
import { headerIndex } from './header-line.ts';
import { refused } from './kind.ts';
import { limits } from './limits.ts';
import { ContactFileError, type FileRow, type Inspection, type StoredFile } from './port.ts';
import { sheetRows } from './sheet-rows.ts';
import { readCellSources, readWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Detects how to read a workbook, and shows its first rows. */
export async function inspectWorkbook(file: StoredFile, wished: Partial<Reading>): Promise<Inspection> {
  try {
    for await (const inspection of withArchive(file, (archive) => inspected(archive, wished)))
      return inspection;
  } catch (error) {
    if (error instanceof ContactFileError) return refused(error.fault, error.message);
    throw error;
  }
  return refused('damaged', 'The workbook could not be read');
}

async function* inspected(archive: Archive, wished: Partial<Reading>): AsyncGenerator<Inspection> {
  const workbook = await readWorkbook(archive);
  const sheet = sheetOf(workbook, wished.sheet ?? null);
  const first = await firstRecords(
    sheetRows(archive.read(sheet.path), await readCellSources(archive, workbook)),
    wished.headerLine ?? null,
  );
  yield shown({ first, workbook, sheet, wishedLine: wished.headerLine ?? null });
}

function shown({
  first,
  workbook,
  sheet,
  wishedLine,
}: {
  first: readonly FoundRecord[];
  workbook: Workbook;
  sheet: Sheet;
  wishedLine: number | null;
}): Inspection {
  const index =
    wishedLine === null
      ? headerIndex(first.map(({ cells }) => cells))
      : first.findIndex(({ line }) => line === wishedLine);
  const header = index === null || index === -1 ? undefined : first[index];
  if (header === undefined)
    return refused(
      'no_header',
      wishedLine === null
        ? `The sheet ${sheet.name} has no cells; choose another sheet, or put the contacts into it`
        : `Row ${wishedLine} of the sheet is blank; choose the row that names the columns`,
    );
  const fault = headerFault(header.cells);
  if (fault !== null) return fault;
  const rows = first
    .filter(({ line }) => line > header.line)
    .map((record) =>
      toRow(record, { columns: header.cells.length, rowNumber: record.line - header.line, isSheet: true }),
    )
    .filter(({ isBlank }) => !isBlank)
    .slice(0, limits.previewRows);
  const others = workbook.sheets.filter(({ isHidden, name }) => !isHidden && name !== sheet.name).length;
  return {
    kind: 'xlsx',
    reading: { encoding: null, separator: null, sheet: sheet.name, headerLine: header.line },
    choices: {
      encodings: [],
      separators: [],
      sheets: workbook.sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    },
    columns: nameColumns(header.cells),
    preview: rows,
    above: first.filter(({ line }) => line < header.line).map(({ cells }) => cells.slice(0, limits.columns)),
    warnings: [
      ...(others > 0
        ? [
            `The workbook has ${others} other ${others === 1 ? 'sheet' : 'sheets'}; only ${sheet.name} is read`,
          ]
        : []),
      ...warningsOf({ rows, header: header.cells, guessedEncoding: null }),
    ],
  };
}

/** All rows of a sheet. The header comes with the first ones. */
export async function* workbookRows(
  file: StoredFile,
  reading: Reading,
): AsyncGenerator<{ header: string[]; rows: FileRow[] }> {
  yield* withArchive(file, (archive) => rowsBelow(archive, reading));
}

async function* rowsBelow(
  archive: Archive,
  { sheet, headerLine }: Reading,
): AsyncGenerator<{ header: string[]; rows: FileRow[] }> {
  const workbook = await readWorkbook(archive);
  const found = sheetRows(
    archive.read(sheetOf(workbook, sheet).path),
    await readCellSources(archive, workbook),
  );
  let header: string[] | null = null;
  for await (const records of found) {
    const rows: FileRow[] = [];
    for (const record of records) {
      if (record.line === headerLine) header = checkedHeader(record.cells);
      else if (record.line > headerLine && header === null) throw headerless(headerLine);
      else if (header !== null)
        rows.push(
          toRow(record, { columns: header.length, rowNumber: record.line - headerLine, isSheet: true }),
        );
    }
    if (header !== null && rows.length > 0) yield { header, rows };
  }
  if (header === null) throw headerless(headerLine);
}

function headerless(headerLine: number): ContactFileError {
  return new ContactFileError(
    'no_header',
    `Row ${headerLine} of the sheet is blank; choose the row that names the columns`,
  );
}

/** The sheet of that name, or the first visible one with cells. */
function sheetOf({ sheets }: Workbook, wanted: string | null): Sheet {
  const found =
    wanted === null
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new ContactFileError(
      'no_such_sheet',
      'The workbook has no sheet of that name; choose another sheet',
    );
  return found;
}
