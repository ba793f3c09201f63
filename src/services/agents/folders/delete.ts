import type { DeletedFolder } from '../../../contract/folders.ts';
import { deleteRows, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { folders } from '../../../db/tables/folders.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { lockFolder } from './internal.ts';

/** Deletes a folder; its agents are then in no folder (contract 15.2). Throws NotFoundError. */
export async function deleteFolder({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { folderId: number };
}): Promise<DeletedFolder> {
  return await write(ctx, async (tx) => {
    const { id, name } = await lockFolder(tx, ctx, input.folderId);
    const { organizationId } = ctx;
    const moved = await updateRows(tx, agents, {
      where: { folderId: id, organizationId },
      change: { folderId: null },
    });
    await deleteRows(tx, folders, { id, organizationId });
    await appendAudit(tx, {
      action: 'folder.deleted',
      subjectKind: 'folder',
      subjectId: id,
      changes: { agents: moved },
      states: { before: { name }, after: null },
    });
    return { status: 'deleted', id };
  });
}
