import type { EntityManager } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { folders, type FolderRow } from '../../../db/tables/folders.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { ServiceContext, TakenName } from '../../kernel/index.ts';

/**
 * Locks a folder, so that it is not deleted while an agent is moved into it. Throws NotFoundError for an
 * unknown folder or one of another organization.
 */
export async function lockFolder(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  id: number,
): Promise<FolderRow> {
  const row = await findRow(tx, folders, { id, organizationId }, { isLocked: true });
  if (row === null) throw new NotFoundError('Folder not found');
  return row;
}

/** Names are unique in an organization. */
export const takenFolderName = (name: string): TakenName => ({
  key: 'uq_folders_name',
  message: `A folder called '${name}' already exists`,
});
