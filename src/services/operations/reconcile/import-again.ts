import { findRow, getRow, updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import { appendAudit, write } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import type { LostImport } from './find-lost-imports.ts';
import { reconcilerOf } from './internal.ts';

/**
 * Starts a lost import again, from its beginning. An import whose Workflow never existed keeps its number.
 * One that was ended from outside gets the next number, so that late writes of the old one are discarded. A
 * repeated run starts nothing twice. Answers whether it started the import. Throws UnavailableError.
 */
export async function importAgain({
  deps,
  input: { directoryId: id, organizationId, importNumber },
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'ids' | 'log' | 'secrets' | 'executions' | 'imports'>;
  input: LostImport;
}): Promise<boolean> {
  const seen = await findRow(deps.db.manager, directories, {
    id,
    organizationId,
    importNumber,
    state: 'importing',
  });
  if (seen === null) return false;
  const state = await deps.executions.importState(seen.uuid, importNumber);
  if (state === 'running') return false;
  // guarantee: terminated-import-restarts-apart
  const number = state === 'absent' ? importNumber : importNumber + 1;
  if (!(await renumber(deps, seen, number))) return false;
  const { uuid: organizationUuid } = await getRow(deps.db.manager, organizations, { id: organizationId });
  await deps.imports.start({
    directoryId: id,
    directoryUuid: seen.uuid,
    organizationId,
    organizationUuid,
    importNumber: number,
  });
  return true;
}

/** False if the directory no longer waits for that import. */
async function renumber(
  deps: Parameters<typeof importAgain>[0]['deps'],
  { id, organizationId, importNumber }: DirectoryRow,
  number: number,
): Promise<boolean> {
  return await write(reconcilerOf(deps, organizationId), async (tx) => {
    const row = await findRow(tx, directories, { id, organizationId }, { isLocked: true });
    if (row === null || row.state !== 'importing' || row.importNumber !== importNumber) return false;
    await updateRows(tx, directories, {
      where: { id, organizationId },
      change: { importNumber: number, totals: noTotals },
    });
    await appendAudit(tx, {
      action: 'directory.check_restarted',
      subjectKind: 'directory',
      subjectId: id,
      changes: { import_number: number },
    });
    return true;
  });
}
