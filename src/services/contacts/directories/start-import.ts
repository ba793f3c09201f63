import type { DirectoryDetail } from '../../../contract/directories.ts';
import { getRow, updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import { ConflictError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, once, write } from '../../kernel/index.ts';
import { requirePhoneColumn } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import { describeDirectory, findDirectory, requireIdle, requireStorage } from './internal.ts';

interface StartInput {
  directoryId: number;
}

/**
 * Starts the check of a directory: its next import. If the process died before it started the Workflow, the
 * next request starts it. Throws NotFoundError, ConflictError during a check, PreconditionError (400) without
 * a phone column, UnavailableError without a storage or without Temporal; then the directory is unchanged.
 */
export async function startImport({
  ctx,
  deps,
  input: { directoryId },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: StartInput;
}): Promise<DirectoryDetail> {
  requireStorage(deps);
  const before = await findDirectory(ctx.db.manager, ctx, directoryId);
  requirePhoneColumn(before);
  if (before.state === 'importing' && (await runs(ctx, deps, before)) === 'over') await giveUp(ctx, before);
  const row = await write(ctx, (tx) =>
    once(tx, {
      kind: 'directory_import',
      make: async () => {
        const locked = await findDirectory(tx, ctx, directoryId, { isLocked: true });
        requireIdle(locked);
        const change = {
          state: 'importing' as const,
          importNumber: locked.importNumber + 1,
          totals: noTotals,
          fault: null,
        };
        await updateRows(tx, directories, {
          where: { id: locked.id, organizationId: locked.organizationId },
          change,
        });
        await appendAudit(tx, {
          action: 'directory.check_started',
          subjectKind: 'directory',
          subjectId: locked.id,
          changes: { import_number: change.importNumber },
        });
        return { id: locked.id, answer: { ...locked, ...change } };
      },
      again: () => findDirectory(tx, ctx, directoryId),
    }),
  );
  if (row.state === 'importing') await start(ctx, deps, row);
  return await describeDirectory(ctx.db.manager, row);
}

/** Starts the Workflow of the import that the row waits for. */
async function runs(
  { db }: ServiceContext,
  { imports }: DirectoryDeps,
  { id, uuid, organizationId, importNumber }: DirectoryRow,
): Promise<'runs' | 'over'> {
  const { uuid: organizationUuid } = await getRow(db.manager, organizations, { id: organizationId });
  return await imports.start({
    directoryId: id,
    directoryUuid: uuid,
    organizationId,
    organizationUuid,
    importNumber,
  });
}

async function start(ctx: ServiceContext, deps: DirectoryDeps, row: DirectoryRow): Promise<void> {
  try {
    await runs(ctx, deps, row);
  } catch (error) {
    // The Workflow may run all the same. It then finds that the directory does not wait for it.
    await giveUp(ctx, row);
    throw error;
  }
}

async function giveUp(
  { db }: ServiceContext,
  { id, organizationId, importNumber }: DirectoryRow,
): Promise<void> {
  await updateRows(db.manager, directories, {
    where: { id, organizationId, importNumber, state: 'importing' },
    change: { state: 'failed', fault: 'The check could not be started' },
  });
}

/**
 * Asks the running check to end. Throws NotFoundError, ConflictError if there is none, UnavailableError
 * without Temporal.
 */
export async function cancelImport({
  ctx,
  deps,
  input: { directoryId },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: StartInput;
}): Promise<DirectoryDetail> {
  const row = await findDirectory(ctx.db.manager, ctx, directoryId);
  if (row.state !== 'importing') throw new ConflictError('No check of this directory is running');
  const asked = await deps.imports.cancel(row.uuid, row.importNumber);
  await write(ctx, async (tx) => {
    if (asked === 'gone')
      await updateRows(tx, directories, {
        where: {
          id: row.id,
          organizationId: row.organizationId,
          importNumber: row.importNumber,
          state: 'importing',
        },
        change: { state: 'failed', fault: 'The check was canceled' },
      });
    await appendAudit(tx, {
      action: 'directory.check_canceled',
      subjectKind: 'directory',
      subjectId: row.id,
      changes: { import_number: row.importNumber },
    });
  });
  return await describeDirectory(ctx.db.manager, await findDirectory(ctx.db.manager, ctx, directoryId));
}
