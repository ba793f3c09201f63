import { Between } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { contacts, type ContactRow } from '../../../db/tables/contacts.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import { ConflictError } from '../../../domain/errors.ts';
import type { FileRow } from '../../../providers/contact-files/port.ts';
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
  pieces: AsyncIterable<Uint8Array>;
}

const header = ['line', 'column', 'code', 'message', 'suggestion'];

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
  const isWanted = ({ state, findings }: Found) =>
    state !== 'ok' || (includesWarnings && (findings ?? []).length > 0);
  const cellsOf = async (rows: FileRow[]): Promise<(string[] | null)[]> => {
    const found = await findContacts(ctx, directory, rows);
    return rows.map(({ line, rowNumber }) => {
      const contact = found.get(rowNumber);
      // guarantee: error-file-has-left-out-rows
      return contact === undefined || !isWanted(contact) ? null : [String(line), ...findingCells(contact)];
    });
  };
  const file = storedFile(deps, directory);
  const { contactFiles } = deps;
  const name = `directory_${directory.id}_errors`;
  if (directory.reading.sheet === null)
    return {
      kind: 'csv',
      fileName: `${name}.csv`,
      pieces: contactFiles.rewrite(file, directory.reading, { header, cellsOf }),
    };
  return {
    kind: 'xlsx',
    fileName: `${name}.xlsx`,
    pieces: workbookOf(
      linesOf(contactFiles.rows(file, directory.reading), [...directory.columns, ...header], cellsOf),
    ),
  };
}

/** Lines of a workbook: those of its rows that `cellsOf` keeps. */
async function* linesOf(
  batches: AsyncIterable<FileRow[]>,
  first: string[],
  cellsOf: (rows: FileRow[]) => Promise<(string[] | null)[]>,
): AsyncGenerator<string[][]> {
  yield [first];
  for await (const rows of batches) {
    const added = await cellsOf(rows);
    yield rows.flatMap(({ cells }, index) => {
      const extra = added[index] ?? null;
      // guarantee: error-workbook-has-no-formulas
      return extra === null ? [] : [[...cells, ...extra]];
    });
  }
}

type Found = Pick<ContactRow, 'rowNumber' | 'state' | 'findings'>;

/** The contacts of these rows of the file, which are consecutive. */
async function findContacts(
  { db, organizationId }: ServiceContext,
  { id, importNumber }: DirectoryRow,
  rows: readonly FileRow[],
): Promise<Map<number, Found>> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const found = await findRows(
    db,
    contacts,
    {
      directoryId: id,
      importNumber,
      organizationId,
      rowNumber: Between(first.rowNumber, last.rowNumber),
    },
    { select: ['rowNumber', 'state', 'findings'] },
  );
  return new Map(found.map((each) => [each.rowNumber, each]));
}

/** Several findings of a row share one cell, separated by semicolons. */
function findingCells({ state, findings }: Found): string[] {
  const all = findings ?? [
    { code: state === 'no_phone' ? 'phone_missing' : 'phone_invalid', level: 'error', column: null } as const,
  ];
  const words = all.map((finding) => wordsOf(finding));
  const joined = (texts: string[]) => texts.join('; ');
  return [
    joined(all.map(({ column }) => column ?? '')),
    joined(all.map(({ code }) => code)),
    joined(words.map(({ message }) => message)),
    joined(words.map(({ suggestion }) => suggestion)),
  ];
}
