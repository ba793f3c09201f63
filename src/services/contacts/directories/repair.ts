import { In, MoreThan, type EntityManager } from 'typeorm';
import { findRows, updateRows } from '../../../db/rows.ts';
import { contacts, type ContactRow } from '../../../db/tables/contacts.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import type { CellFinding } from '../../../domain/directory/findings.ts';
import { splitRepaired } from '../../../domain/directory/repair-columns.ts';
import type { ImportTotals } from '../../../domain/directory/totals.ts';
import { ConflictError, PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import { findSuppressed } from '../suppressions/find-suppressed.ts';
import type { DirectoryDeps } from './deps.ts';
import { insertContacts, type NewContact } from './insert-contacts.ts';
import { findDirectory, storedFile } from './internal.ts';
import { countEmpty, totalOf } from './read-rows.ts';

/** How many rows of the repaired file became what in the directory. */
export interface Repair {
  repaired: number;
  duplicate: number;
  doNotCall: number;
  suppressed: number;
  /** Rows that are not left out there, or that the file does not have. */
  skipped: number;
}

interface Repairing {
  ctx: ServiceContext;
  deps: Pick<DirectoryDeps, 'files' | 'contactFiles'>;
  input: { directoryId: number; repairedDirectoryId: number };
  /** Runs in the transaction that repairs these rows. */
  added: (tx: Write, origin: DirectoryRow, rowNumbers: number[]) => Promise<void>;
}

/** Rows per transaction. */
const batchRows = 1000;

/**
 * Puts the usable rows of a checked, repaired error file in the place of the rows that the directory leaves
 * out. They keep their row numbers, and so their record keys. A number that the directory already calls, or
 * must not call, stays left out. A repeated request changes nothing more. Throws NotFoundError, ConflictError
 * unless both directories are checked, PreconditionError (400) for a file that was not made from this one.
 */
export async function repairDirectory({ ctx, deps, input, added }: Repairing): Promise<Repair> {
  const { manager } = ctx.db;
  const origin = await findDirectory(manager, ctx, input.directoryId);
  const mended = await findDirectory(manager, ctx, input.repairedDirectoryId);
  if (mended.repairedFromId !== origin.id)
    throw new PreconditionError('The file was not made from the error file of this directory', {
      status: 400,
    });
  requireReady(origin);
  requireReady(mended);
  const { own, added: addedColumns } = splitRepaired(mended.columns) ?? { own: [], added: [] };
  const rowOf = await rowsByLine(deps, origin, await linesOf(ctx, mended, own.length));
  const sums: Repair = { repaired: 0, duplicate: 0, doNotCall: 0, suppressed: 0, skipped: 0 };
  for await (const batch of callable(ctx, mended)) {
    const moved = batch.flatMap((contact) => {
      const rowNumber = rowOf.get(Number(contact.cells[own.length]));
      return rowNumber === undefined ? [] : [repairedRow(contact, { rowNumber, own, addedColumns })];
    });
    sums.skipped += batch.length - moved.length;
    await repairBatch({ ctx, originId: origin.id, moved, sums, added });
  }
  return sums;
}

function requireReady({ state, name }: DirectoryRow): void {
  if (state !== 'ready')
    throw new ConflictError(`The directory '${name}' was not checked, or a check is running`);
}

async function* callable(
  { db, organizationId }: ServiceContext,
  { id, importNumber }: DirectoryRow,
): AsyncGenerator<ContactRow[]> {
  for (let last = 0; ;) {
    const rows = await findRows(
      db,
      contacts,
      { directoryId: id, importNumber, organizationId, state: 'ok', rowNumber: MoreThan(last) },
      { order: { rowNumber: 'ASC' }, take: batchRows },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) return;
    last = rows.at(-1)?.rowNumber ?? last;
  }
}

async function linesOf(ctx: ServiceContext, mended: DirectoryRow, column: number): Promise<Set<number>> {
  const lines = new Set<number>();
  for await (const rows of callable(ctx, mended))
    for (const { cells } of rows) lines.add(Number(cells[column]));
  return lines;
}

/** Row numbers by line, because a quoted line break makes them differ by more than the header's line. */
async function rowsByLine(
  deps: Repairing['deps'],
  origin: DirectoryRow,
  lines: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for await (const rows of deps.contactFiles.rows(storedFile(deps, origin), origin.reading)) {
    for (const { line, rowNumber } of rows) if (lines.has(line)) found.set(line, rowNumber);
    if (found.size === lines.size) return found;
  }
  return found;
}

type Moved = ContactRow & { findings: CellFinding[] | null };

function repairedRow(
  contact: ContactRow,
  { rowNumber, own, addedColumns }: { rowNumber: number; own: string[]; addedColumns: string[] },
): Moved {
  const findings = (contact.findings ?? []).filter(
    ({ column }) => column === null || !addedColumns.includes(column),
  );
  return {
    ...contact,
    rowNumber,
    cells: contact.cells.slice(0, own.length),
    findings: findings.length === 0 ? null : findings,
  };
}

interface Batch {
  ctx: ServiceContext;
  originId: number;
  moved: Moved[];
  sums: Repair;
  added: Repairing['added'];
}

async function repairBatch({ ctx, originId, moved, sums, added }: Batch): Promise<void> {
  const done = await write(ctx, async (tx) => {
    const origin = await findDirectory(tx, ctx, originId, { isLocked: true });
    requireReady(origin);
    const before = await leftOut(tx, origin, moved);
    const judged = await judge(
      tx,
      origin,
      moved.filter(({ rowNumber }) => before.has(rowNumber)),
    );
    if (judged.length === 0) return { judged, skipped: moved.length };
    const totals = structuredClone(origin.totals);
    for (const row of judged) recount(totals, before.get(row.rowNumber), row);
    const ref = {
      directoryId: origin.id,
      organizationId: origin.organizationId,
      importNumber: origin.importNumber,
    };
    await insertContacts(
      tx,
      ref,
      judged.map((row): NewContact => ({ ...row, cells: JSON.stringify(row.cells) })),
    );
    await updateRows(tx, directories, {
      where: { id: origin.id, organizationId: origin.organizationId },
      change: { totals },
    });
    const ok = judged.filter(({ state }) => state === 'ok').map(({ rowNumber }) => rowNumber);
    if (ok.length > 0) await added(tx, origin, ok);
    await appendAudit(tx, {
      action: 'directory.repaired',
      subjectKind: 'directory',
      subjectId: origin.id,
      changes: { repaired: ok.length },
    });
    return { judged, skipped: moved.length - judged.length };
  });
  sums.skipped += done.skipped;
  for (const { state } of done.judged) {
    if (state === 'ok') sums.repaired += 1;
    else if (state === 'duplicate') sums.duplicate += 1;
    else if (state === 'suppressed') sums.suppressed += 1;
    else sums.doNotCall += 1;
  }
}

/** The rows that the directory leaves out, by their number. */
async function leftOut(
  tx: EntityManager,
  { id, importNumber, organizationId }: DirectoryRow,
  moved: readonly Moved[],
): Promise<Map<number, ContactRow>> {
  if (moved.length === 0) return new Map();
  const rows = await findRows(tx, contacts, {
    directoryId: id,
    importNumber,
    organizationId,
    rowNumber: In(moved.map(({ rowNumber }) => rowNumber)),
  });
  return new Map(rows.filter(({ state }) => state !== 'ok').map((row) => [row.rowNumber, row]));
}

/** What the other rows of the directory, and the suppression list, say about the repaired ones. */
async function judge(tx: EntityManager, origin: DirectoryRow, moved: readonly Moved[]): Promise<Moved[]> {
  if (moved.length === 0) return [];
  const phones = moved.flatMap(({ phone }) => phone ?? []);
  const others = await findRows(
    tx,
    contacts,
    {
      organizationId: origin.organizationId,
      phone: In(phones),
      directoryId: origin.id,
      importNumber: origin.importNumber,
      state: In(['ok', 'do_not_call']),
    },
    { select: ['rowNumber', 'phone', 'state'] },
  );
  const suppressed = await findSuppressed(tx, origin.organizationId, phones);
  return moved.map((row) => {
    const same = others.filter(({ phone, rowNumber }) => phone === row.phone && rowNumber !== row.rowNumber);
    const forbidding = same.find(({ state }) => state === 'do_not_call');
    if (forbidding !== undefined) return leave(row, 'do_not_call', forbidding.rowNumber);
    const called = same.find(({ state }) => state === 'ok');
    // guarantee: repaired-duplicates-of-first-file-left-out
    if (called !== undefined && origin.mapping.duplicates !== 'all')
      return leave(row, 'duplicate', called.rowNumber);
    return suppressed.has(row.phone ?? '') ? leave(row, 'suppressed') : row;
  });
}

function leave(row: Moved, state: 'do_not_call' | 'duplicate' | 'suppressed', otherRow?: number): Moved {
  const finding: CellFinding = {
    code: state,
    level: 'error',
    column: null,
    ...(otherRow === undefined ? {} : { otherRow }),
  };
  return { ...row, state, findings: [...(row.findings ?? []), finding] };
}

/** Counts a row as what it is now. It was not called before, so its cells were not counted as empty. */
function recount(totals: ImportTotals, before: ContactRow | undefined, now: Moved): void {
  if (before === undefined) return;
  for (const [row, by] of [
    [before, -1],
    [now, 1],
  ] as const) {
    totals[totalOf[row.state]] += by;
    if (row.findings?.some(({ level }) => level === 'warning') === true) totals.warned += by;
    for (const { code } of row.findings ?? [])
      totals.findings[code] = Math.max(0, (totals.findings[code] ?? 0) + by);
  }
  if (now.state === 'ok') countEmpty(totals, now.cells, 1);
}
