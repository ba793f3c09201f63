import { MoreThan } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/** An import that its directory waits for while no Workflow runs it. */
export interface LostImport {
  directoryId: number;
  organizationId: number;
  importNumber: number;
}

/**
 * Reads one page of the directories of all organizations that wait for an import, and asks Temporal about
 * each. Changes nothing.
 */
export async function findLostImports({
  deps: { db, executions },
  input: { afterId },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'executions'>;
  input: { afterId: number };
  signal: AbortSignal;
}): Promise<Page<LostImport>> {
  const page = await findRows(
    acrossOrganizations(db, 'imports of every organization are compared with Temporal'),
    directories,
    { state: 'importing', id: MoreThan(afterId) },
    { select: ['id', 'uuid', 'organizationId', 'importNumber'], order: { id: 'ASC' }, take: pageSize },
  ).catch(rethrow);
  const found = await withoutWorkflow(page, {
    signal,
    stateOf: ({ uuid, importNumber }) => executions.importState(uuid, importNumber),
  });
  return {
    items: found.map(({ row: { id: directoryId, organizationId, importNumber } }) => ({
      directoryId,
      organizationId,
      importNumber,
    })),
    nextAfterId: nextAfterId(page),
  };
}
