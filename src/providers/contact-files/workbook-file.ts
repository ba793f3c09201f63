import { counted } from '../../domain/counted.ts';
import { nameColumns } from '../../domain/directory/name-columns.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { isPhoneName } from '../../domain/directory/mapping-words.ts';
import { withArchive, type Archive } from './archive.ts';
import { toRow, type FoundRecord } from './file-rows.ts';
import { firstRecords } from './first-rows.ts';
import { checkedHeader, headerFault, warningsOf } from './header.ts';
import { headerIndex } from './header-line.ts';
import { refused } from './kind.ts';
import { limits } from './limits.ts';
import { ContactFileError, type FileRow, type Inspection, type StoredFile } from './port.ts';
import { shapeWarnings } from './shape-warnings.ts';
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
  const sources = await readCellSources(archive, workbook);
  const recordsOf = async ({ path }: Sheet, headerLine: number | null) =>
    await firstRecords(sheetRows(archive.read(path), sources), headerLine);
  const wishedLine = wished.headerLine ?? null;
  const first = await recordsOf(sheet, wishedLine);
  const others = hasPhoneName(first) ? [] : workbook.sheets.filter((each) => each !== sheet);
  let otherSheet: string | null = null;
  for (const each of others.slice(0, maxOthers))
    if (otherSheet === null && hasPhoneName(await recordsOf(each, null))) otherSheet = each.name;
  yield shown({ first, workbook, sheet, wishedLine, otherSheet });
}

/** Sheets that are searched for a phone column. */
const maxOthers = 20;

function hasPhoneName(first: readonly FoundRecord[]): boolean {
  const cells = first.map((record) => record.cells);
  return cells[headerIndex(cells) ?? -1]?.some(isPhoneName) === true;
}

function shown({
  first,
  workbook,
  sheet,
  wishedLine,
  otherSheet,
}: {
  first: readonly FoundRecord[];
  workbook: Workbook;
  sheet: Sheet;
  wishedLine: number | null;
  otherSheet: string | null;
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
        ? `The sheet ${sheet.name} has no cells; choose ${otherSheet === null ? 'another sheet' : `the sheet ${otherSheet}`}, or put the contacts into it`
        : `Row ${wishedLine} of the sheet is blank; choose the row that names the columns`,
    );
  const fault = headerFault(header.cells, header.flags);
  if (fault !== null) return fault;
  const rows = first
    .filter(({ line }) => line > header.line)
    .map((record) =>
      toRow(record, { columns: header.cells.length, rowNumber: record.line - header.line, encoding: null }),
    )
    .filter(({ isBlank }) => !isBlank)
    .slice(0, limits.previewRows);
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
    doubt: null,
    otherSheet,
    warnings: [
      ...sheetWarnings(workbook, sheet, otherSheet),
      ...warningsOf({ rows, header: header.cells, encoding: null }),
      ...shapeWarnings({
        header: header.cells,
        headerLine: header.line,
        rows,
        isHeaderWished: wishedLine !== null,
      }),
    ],
  };
}

function sheetWarnings({ sheets }: Workbook, { name, isHidden }: Sheet, otherSheet: string | null): string[] {
  const others = sheets.filter((each) => each.name !== name);
  const visible = others.filter((each) => !each.isHidden).length;
  const hidden = others.filter((each) => each.isHidden).map((each) => each.name);
  return [
    ...(otherSheet === null
      ? []
      : [
          `The sheet ${name} has no column with phone numbers; choose the sheet ${otherSheet}, which has one`,
        ]),
    ...(visible > 0 ? [`The workbook has ${counted(visible, 'other sheet')}; only ${name} is read`] : []),
    ...(hidden.length > 0 ? [`Hidden sheets are not read: ${hidden.slice(0, 10).join(', ')}`] : []),
    ...(isHidden ? [`The sheet ${name} is hidden in the workbook`] : []),
  ];
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
      if (record.line === headerLine) header = checkedHeader(record.cells, record.flags);
      else if (record.line > headerLine && header === null) throw headerless(headerLine);
      else if (header !== null)
        rows.push(
          toRow(record, { columns: header.length, rowNumber: record.line - headerLine, encoding: null }),
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
