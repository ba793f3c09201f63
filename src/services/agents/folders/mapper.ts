import type { Folder } from '../../../contract/folders.ts';
import type { FolderRow } from '../../../db/tables/folders.ts';
import { wireTimestamp } from '../../kernel/index.ts';

export function toFolder({ id, name, createdAt }: FolderRow): Folder {
  return { id, name, created_at: wireTimestamp(createdAt) };
}
