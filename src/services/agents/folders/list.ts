import type { Folder } from '../../../contract/folders.ts';
import { findRows } from '../../../db/rows.ts';
import { folders } from '../../../db/tables/folders.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toFolder } from './mapper.ts';

/** The organization's folders, by name (contract 15.2). */
export async function listFolders({ ctx }: { ctx: ServiceContext }): Promise<Folder[]> {
  const rows = await findRows(
    ctx.db,
    folders,
    { organizationId: ctx.organizationId },
    { order: { name: 'ASC' } },
  );
  return rows.map(toFolder);
}
