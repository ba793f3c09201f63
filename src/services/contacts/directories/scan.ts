import type { DataSource } from 'typeorm';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import type { CellFinding } from '../../../domain/directory/findings.ts';
import { PhoneRows } from '../../../domain/directory/phone-rows.ts';
import { createContactReader } from '../../../domain/directory/read-contact.ts';
import { createRowJudge } from '../../../domain/directory/row-judge.ts';
import { noTotals, type ImportTotals } from '../../../domain/directory/totals.ts';
import { PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { zoneKeyOfPhone } from '../../../domain/phone/zones.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findSuppressed } from '../suppressions/find-suppressed.ts';
import type { DirectoryDeps } from './deps.ts';
import type { NewContact } from './insert-contacts.ts';
import { storedFile } from './internal.ts';
import { createRowReader } from './read-rows.ts';

/** Lines of the file with the same finding. The header is a line, too. */
export interface FoundLines extends Pick<CellFinding, 'code' | 'level' | 'column'> {
  count: number;
  /** The first five. */
  first: number[];
}

export interface DirectoryScan {
  totals: ImportTotals;
  lines: FoundLines[];
}

interface ScanInput {
  /** Columns that a prompt needs and that must not be empty. */
  required: string[];
  /** Gets the numbers that can be called, some hundred at a time. */
  onCallable?: (phones: readonly string[]) => Promise<void>;
}

/** Maximum size to read within a request. */
const maxBytes = 10_485_760;
const maxLines = 5;

/**
 * What a check would find, without storing anything: one pass over a small file (contract 11.3). Throws
 * PreconditionError (400) for a file that is unreadable or larger than 10 MB, UnavailableError without a
 * storage.
 */
export async function scanDirectory({
  ctx,
  deps,
  directory,
  input: { required, onCallable },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  directory: DirectoryRow;
  input: ScanInput;
}): Promise<DirectoryScan> {
  if (directory.bytes > maxBytes)
    throw new PreconditionError('The file is larger than 10 MB: check the directory first', { status: 400 });
  try {
    return await scan({ db: ctx.db, deps, directory, required, onCallable });
  } catch (error) {
    if (error instanceof ValidationError)
      throw new PreconditionError(error.message, { status: 400, cause: error });
    throw error;
  }
}

async function scan({
  db,
  deps,
  directory,
  required,
  onCallable,
}: {
  db: DataSource;
  deps: DirectoryDeps;
  directory: DirectoryRow;
  required: string[];
  onCallable: ScanInput['onCallable'];
}): Promise<DirectoryScan> {
  const { columns, mapping, reading, organizationId } = directory;
  const rowsOf = () => deps.contactFiles.rows(storedFile(deps, directory), reading);
  const totals: ImportTotals = { ...noTotals, findings: {}, emptyCells: columns.map(() => 0) };
  const parts = { columns, mapping, zoneKeyOf: zoneKeyOfPhone, required };
  const reader = createRowReader({ ...parts, totals });
  const judge = createRowJudge(
    mapping.duplicates,
    mapping.duplicates === 'last' ? await lastRows(rowsOf(), createContactReader(parts)) : undefined,
  );
  const lines = new Map<string, FoundLines>();
  for await (const rows of rowsOf()) {
    const read = rows.flatMap((row): { contact: NewContact; line: number }[] => {
      const contact = reader.read(row, judge);
      return contact === null ? [] : [{ contact, line: row.line }];
    });
    const callable = read.flatMap(({ contact: { state, phone } }) =>
      state === 'ok' && phone !== null ? [phone] : [],
    );
    const suppressed =
      callable.length === 0 ? new Set<string>() : await findSuppressed(db.manager, organizationId, callable);
    for (const { contact, line } of read) {
      reader.suppress(contact, suppressed);
      note(lines, contact, line);
    }
    await onCallable?.(callable.filter((phone) => !suppressed.has(phone)));
  }
  return { totals, lines: [...lines.values()] };
}

async function lastRows(
  rows: AsyncIterable<Parameters<ReturnType<typeof createContactReader>>[0][] & { rowNumber: number }[]>,
  read: ReturnType<typeof createContactReader>,
): Promise<PhoneRows> {
  const last = new PhoneRows();
  for await (const some of rows) {
    for (const row of some) {
      const { state, phone } = read(row);
      if (state === 'ok' && phone !== null) last.set(phone, row.rowNumber);
    }
  }
  return last;
}

function note(lines: Map<string, FoundLines>, { findings }: NewContact, line: number): void {
  const error = findings?.find(({ level }) => level === 'error');
  // A row is left out for one reason, the first; then its warnings do not matter.
  const told = error === undefined ? (findings ?? []) : [error];
  for (const { code, level, column } of told) {
    const key = `${code} ${level} ${column}`;
    const found = lines.get(key) ?? { code, level, column, count: 0, first: [] };
    found.count += 1;
    if (found.first.length < maxLines) found.first.push(line);
    lines.set(key, found);
  }
}
