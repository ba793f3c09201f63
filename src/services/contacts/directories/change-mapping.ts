import { updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { requireColumns } from './check-mapping.ts';
import { findDirectory, requireIdle, requireUnused } from './internal.ts';
import { auditedDirectory } from './mapper.ts';

/** The changes of a directory. Absent values stay. */
export interface DirectoryChange {
  directoryId: number;
  name?: string | undefined;
  /** How the file is read from now on. */
  read?: Pick<DirectoryRow, 'reading' | 'columns' | 'kind'> | undefined;
  /** Changes of the mapping, for the new columns. */
  mapping?: Partial<Mapping> | undefined;
  /** The part of the old mapping that is carried to new columns. */
  carry?: ((mapping: Mapping, columns: string[]) => Mapping) | undefined;
}

/**
 * Changes a directory under its lock. A new reading or mapping discards the findings, so the directory must
 * be checked again. Throws NotFoundError, ConflictError during a check or once a campaign uses it,
 * PreconditionError (400) for a missing column.
 */
export async function changeMapping(
  tx: Write,
  ctx: ServiceContext,
  { directoryId, name, read, mapping: given, carry }: DirectoryChange,
): Promise<DirectoryRow> {
  const row = await findDirectory(tx, ctx, directoryId, { isLocked: true });
  const columns = read?.columns ?? row.columns;
  const carried =
    carry === undefined || isSame(columns, row.columns) ? row.mapping : carry(row.mapping, columns);
  const mapping = { ...carried, ...given };
  const reading = read?.reading ?? row.reading;
  const isReadOtherwise = !isSame(
    { reading: toKnown(row.reading), mapping: row.mapping, columns: row.columns },
    { reading: toKnown(reading), mapping, columns },
  );
  if (isReadOtherwise) {
    // guarantee: running-import-locks-its-settings
    requireIdle(row);
    await requireUnused(tx, row);
    requireColumns(mapping, columns);
  }
  const reset = isReadOtherwise
    ? {
        columns,
        mapping,
        state: 'uploaded' as const,
        fault: null,
        totals: noTotals,
      }
    : {};
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(isSame(reading, row.reading) ? {} : { reading }),
    ...reset,
  };
  if (Object.keys(change).length === 0) return row;
  await updateRows(tx, directories, { where: { id: row.id, organizationId: row.organizationId }, change });
  const after = { ...row, ...change };
  const isRenamed = name !== undefined && name !== row.name;
  await appendAudit(tx, {
    action: 'directory.updated',
    subjectKind: 'directory',
    subjectId: row.id,
    changes: { is_renamed: isRenamed },
    states: { before: auditedDirectory(row), after: auditedDirectory(after) },
  });
  return after;
}

/** A guess that is confirmed reads the rows as before. */
const toKnown = ({ isGuess: _, ...known }: DirectoryRow['reading']): object => known;

const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
