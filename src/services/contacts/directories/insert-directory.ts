import { insertRow } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { noTotals } from '../../../domain/directory/totals.ts';
import { appendAudit, actingUserId, type ServiceContext, type Write } from '../../kernel/index.ts';
import { auditedDirectory } from './mapper.ts';

type NewDirectory = Pick<
  DirectoryRow,
  | 'name'
  | 'fileKey'
  | 'fileName'
  | 'kind'
  | 'bytes'
  | 'sha256'
  | 'reading'
  | 'columns'
  | 'mapping'
  | 'repairedFromId'
>;

/** Inserts a directory that has not been checked. */
export async function insertDirectory(
  tx: Write,
  ctx: ServiceContext,
  directory: NewDirectory,
): Promise<DirectoryRow> {
  const row = await insertRow(tx, directories, {
    ...directory,
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    state: 'uploaded',
    importNumber: 0,
    totals: noTotals,
    fault: null,
    createdByUserId: actingUserId(ctx),
    createdAt: ctx.clock.now(),
    importedAt: null,
  });
  await appendAudit(tx, {
    action: 'directory.uploaded',
    subjectKind: 'directory',
    subjectId: row.id,
    states: { before: null, after: auditedDirectory(row) },
  });
  return row;
}
