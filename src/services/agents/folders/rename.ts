import type { Folder } from '../../../contract/folders.ts';
import { updateRows } from '../../../db/rows.ts';
import { folders } from '../../../db/tables/folders.ts';
import { appendAudit, translateTakenName, type ServiceContext, write } from '../../kernel/index.ts';
import { lockFolder, takenFolderName } from './internal.ts';
import { toFolder } from './mapper.ts';

/** Renames a folder (contract 15.2). Throws NotFoundError, and ConflictError for a taken name. */
export async function renameFolder({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { folderId: number; name: string };
}): Promise<Folder> {
  try {
    return await write(ctx, async (tx) => {
      const row = await lockFolder(tx, ctx, input.folderId);
      const change = { name: input.name, updatedAt: ctx.clock.now() };
      await updateRows(tx, folders, { where: { id: row.id, organizationId: ctx.organizationId }, change });
      await appendAudit(tx, {
        action: 'folder.renamed',
        subjectKind: 'folder',
        subjectId: row.id,
        states: { before: { name: row.name }, after: { name: input.name } },
      });
      return toFolder({ ...row, ...change });
    });
  } catch (error) {
    throw translateTakenName(error, takenFolderName(input.name));
  }
}
