import type { Folder } from '../../../contract/folders.ts';
import { getRow, insertRow } from '../../../db/rows.ts';
import { folders, type FolderRow } from '../../../db/tables/folders.ts';
import {
  appendAudit,
  translateTakenName,
  type ServiceContext,
  once,
  type Write,
  write,
} from '../../kernel/index.ts';
import { takenFolderName } from './internal.ts';
import { toFolder } from './mapper.ts';

/** Creates a folder (contract 15.2). Throws ConflictError for a taken name. */
export async function createFolder({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { name: string };
}): Promise<Folder> {
  try {
    return await write(ctx, async (tx) => {
      const make = async () => {
        const row = await insertFolder(tx, ctx, input.name);
        return { id: row.id, answer: toFolder(row) };
      };
      const again = async (id: number) =>
        toFolder(await getRow(tx, folders, { id, organizationId: ctx.organizationId }));
      return await once(tx, { kind: 'folder', make, again });
    });
  } catch (error) {
    throw translateTakenName(error, takenFolderName(input.name));
  }
}

async function insertFolder(tx: Write, ctx: ServiceContext, name: string): Promise<FolderRow> {
  const now = ctx.clock.now();
  const row = await insertRow(tx, folders, {
    organizationId: ctx.organizationId,
    name,
    createdAt: now,
    updatedAt: now,
  });
  await appendAudit(tx, {
    action: 'folder.created',
    subjectKind: 'folder',
    subjectId: row.id,
    states: { before: null, after: { name } },
  });
  return row;
}
