import { queryRows } from '../../../db/rows.ts';
import type { ContactRow, ContactState } from '../../../db/tables/contacts.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { repairHeader, splitRepaired } from '../../../domain/directory/repair-columns.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import { ConflictError } from '../../../domain/errors.ts';
import type { FileRow, PlacedRow } from '../../../providers/contact-files/port.ts';
import { type ServiceContext, workbookOf } from '../../kernel/index.ts';
import type { DirectoryDeps } from './deps.ts';
import { findDirectory, storedFile } from './internal.ts';

interface ErrorsInput {
  directoryId: number;
  /** Includes rows with warnings, which campaigns call. */
  includesWarnings: boolean;
}

/** A file for download, made while it is sent. */
export interface ErrorFile {
  kind: 'csv' | 'xlsx';
  fileName: string;
  /** Of the bytes of a text. */
  charset: string;
  pieces: AsyncIterable<Uint8Array>;
}

/**
 * The rows that are left out, as they are in the file, followed by what is wrong with each. The rows of a
 * workbook become a workbook again, so that text like a formula needs no mark that would come back with the
 * repaired file. Throws NotFoundError, ConflictError for a directory that was not checked, UnavailableError
 * without a storage.
 */
export async function downloadErrors({
  ctx,
  deps,
  input: { directoryId, includesWarnings },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: ErrorsInput;
}): Promise<ErrorFile> {
  const directory = await findDirectory(ctx.db.manager, ctx, directoryId);
  if (directory.state !== 'ready')
    throw new ConflictError('The directory was not checked, or a check is running');
  const wanted = new WantedContacts(ctx, directory, includesWarnings);
  // Of a repaired file, the findings of its origin are replaced; each row keeps its line there.
  const own = directory.repairedFromId === null ? null : (splitRepaired(directory.columns)?.own ?? null);
  const columns = own ?? directory.columns;
  const lineOf = (row: PlacedRow) => (own === null ? String(row.line) : (row.cells[own.length] ?? ''));
  const lines = new LinesOfRows();
  const placeOf = (row: number): string => {
    const line = own === null ? lines.get(row) : null;
    return line === null ? 'Another line' : `Line ${line}`;
  };
  const cellsOf = async (rows: readonly PlacedRow[]): Promise<(string[] | null)[]> => {
    for (const row of rows) lines.add(row);
    const found = await wanted.through(rows.at(-1)?.rowNumber ?? 0);
    return rows.map((row) => {
      const contact = found.get(row.rowNumber);
      return contact === undefined ? null : [lineOf(row), ...findingCells(contact, placeOf)];
    });
  };
  const file = storedFile(deps, directory);
  const { contactFiles } = deps;
  const name = `directory_${directory.id}_errors`;
  if (directory.reading.sheet === null)
    return {
      kind: 'csv',
      fileName: `${name}.csv`,
      // guarantee: error-file-names-its-encoding
      charset: contactFiles.charsetOf(directory.reading),
      pieces: contactFiles.rewrite(file, directory.reading, {
        header: [...repairHeader],
        columns: columns.length,
        cellsOf,
      }),
    };
  return {
    kind: 'xlsx',
    fileName: `${name}.xlsx`,
    charset: '',
    pieces: workbookOf(
      linesOf(contactFiles.rows(file, directory.reading), [...columns, ...repairHeader], cellsOf),
    ),
  };
}

/** Lines of a workbook: those of its rows that `cellsOf` keeps. */
async function* linesOf(
  batches: AsyncIterable<FileRow[]>,
  first: string[],
  cellsOf: (rows: readonly PlacedRow[]) => Promise<(string[] | null)[]>,
): AsyncGenerator<string[][]> {
  yield [first];
  for await (const rows of batches) {
    const added = await cellsOf(rows);
    yield rows.flatMap(({ cells }, index) => {
      const extra = added[index] ?? null;
      // guarantee: error-workbook-has-no-formulas
      return extra === null ? [] : [[...cells.slice(0, first.length - extra.length), ...extra]];
    });
  }
}

/** Lines by row number of the rows that were read. Both grow by one, except after a quoted line break. */
class LinesOfRows {
  readonly #offsets: { from: number; offset: number }[] = [];
  #last = 0;

  add({ rowNumber, line }: PlacedRow): void {
    this.#last = rowNumber;
    const offset = line - rowNumber;
    if (this.#offsets.at(-1)?.offset !== offset) this.#offsets.push({ from: rowNumber, offset });
  }

  /** Null for a row that was not read yet. */
  get(rowNumber: number): number | null {
    if (rowNumber > this.#last) return null;
    const found = this.#offsets.findLast(({ from }) => from <= rowNumber);
    return found === undefined ? null : rowNumber + found.offset;
  }
}

type Found = Pick<ContactRow, 'rowNumber' | 'state' | 'findings'>;

/** Rows of one statement. */
const pageRows = 5000;

/**
 * The wanted contacts of a directory, read page by page while its file is read. Most rows of a file are in
 * order, so only the others are asked for.
 */
class WantedContacts {
  readonly #ctx: ServiceContext;
  readonly #directory: DirectoryRow;
  readonly #which: string;
  #page: Found[] = [];
  /** Where the rest of the page begins. */
  #at = 0;
  #isLast = false;
  #lastRow = 0;

  constructor(ctx: ServiceContext, directory: DirectoryRow, includesWarnings: boolean) {
    this.#ctx = ctx;
    this.#directory = directory;
    // guarantee: error-file-has-left-out-rows
    this.#which = includesWarnings ? "(state <> 'ok' OR findings IS NOT NULL)" : "state <> 'ok'";
  }

  /** Those up to this row number that were not answered before. */
  async through(rowNumber: number): Promise<Map<number, Found>> {
    const found = new Map<number, Found>();
    for (;;) {
      for (; this.#at < this.#page.length; this.#at += 1) {
        const contact = this.#page[this.#at];
        if (contact === undefined || contact.rowNumber > rowNumber) return found;
        found.set(contact.rowNumber, contact);
      }
      if (this.#isLast) return found;
      await this.#turn();
    }
  }

  async #turn(): Promise<void> {
    const { db, organizationId } = this.#ctx;
    const { id, importNumber } = this.#directory;
    const rows: { row: number | string; state: ContactState; findings: string | null }[] = await queryRows(
      db,
      {
        organizationId,
        sql: `SELECT \`row_number\` AS \`row\`, state, findings FROM contacts
        WHERE directory_id = ? AND import_number = ? AND organization_id = ? AND \`row_number\` > ? AND ${this.#which}
        ORDER BY \`row_number\` LIMIT ${pageRows}`,
        values: [id, importNumber, organizationId, this.#lastRow],
      },
    );
    this.#page = rows.map(({ row, state, findings }) => ({
      rowNumber: Number(row),
      state,
      findings: findings === null ? null : JSON.parse(findings),
    }));
    this.#at = 0;
    this.#lastRow = this.#page.at(-1)?.rowNumber ?? this.#lastRow;
    this.#isLast = rows.length < pageRows;
  }
}

/** Several findings of a row share one cell, separated by semicolons. */
function findingCells({ state, findings }: Found, placeOf: (row: number) => string): string[] {
  const all = findings ?? [
    { code: state === 'no_phone' ? 'phone_missing' : 'phone_invalid', level: 'error', column: null } as const,
  ];
  const words = all.map((finding) => wordsOf(finding, placeOf));
  const joined = (texts: string[]) => texts.join('; ');
  return [
    joined(all.map(({ column }) => column ?? '')),
    joined(all.map(({ code }) => code)),
    joined(words.map(({ message }) => message)),
    joined(words.map(({ suggestion }) => suggestion)),
  ];
}
