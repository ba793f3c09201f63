import type { DirectoryPage } from '../../../contract/directories.ts';
import { countRows, findRows } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toDirectory } from './mapper.ts';

/** One page of the organization's directories, newest first. */
export async function listDirectories({
  ctx: { db, organizationId },
  input: { limit, offset },
}: {
  ctx: ServiceContext;
  input: { limit: number; offset: number };
}): Promise<DirectoryPage> {
  const where = { organizationId };
  const [rows, total] = await Promise.all([
    findRows(db, directories, where, {
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    }),
    countRows(db, directories, where),
  ]);
  return { directories: rows.map(toDirectory), total_count: total, limit, offset };
}
