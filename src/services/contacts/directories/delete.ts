import { deleteRows, updateRows } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import type { DirectoryDeps } from './deps.ts';
import { removeContacts } from './insert-contacts.ts';
import { findDirectory, requireIdle, requireStorage, requireUnused } from './internal.ts';
import { auditedDirectory } from './mapper.ts';

/**
 * Removes a directory with its rows and its file. The rows are removed in short statements. If that is
 * interrupted, the directory counts as not checked, and the next request removes it. Throws NotFoundError,
 * ConflictError during a check or if a campaign uses it, UnavailableError without a storage.
 */
export async function deleteDirectory({
  ctx,
  deps,
  input: { directoryId },
}: {
  ctx: ServiceContext;
  deps: Pick<DirectoryDeps, 'files'>;
  input: { directoryId: number };
}): Promise<{ success: true }> {
  const { organizationId, db } = ctx;
  const files = requireStorage(deps);
  const last = await inTransaction(db, async (tx) => {
    const row = await findDirectory(tx, ctx, directoryId, { isLocked: true });
    requireIdle(row);
    await requireUnused(tx, row);
    await updateRows(tx, directories, {
      where: { id: directoryId, organizationId },
      change: { state: 'uploaded', totals: noTotals, fault: null },
    });
    return row;
  });
  for (let importNumber = last.importNumber; importNumber >= 1; importNumber -= 1)
    await removeContacts(db, { directoryId, organizationId, importNumber });
  await write(ctx, async (tx) => {
    const row = await findDirectory(tx, ctx, directoryId, { isLocked: true });
    requireIdle(row);
    await requireUnused(tx, row);
    await updateRows(tx, directories, {
      where: { repairedFromId: directoryId, organizationId },
      change: { repairedFromId: null },
    });
    await deleteRows(tx, directories, { id: directoryId, organizationId });
    await appendAudit(tx, {
      action: 'directory.deleted',
      subjectKind: 'directory',
      subjectId: row.id,
      states: { before: auditedDirectory(row), after: null },
    });
  });
  await files.remove(last.fileKey);
  return { success: true };
}
