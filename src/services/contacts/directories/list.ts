import type { DirectoryPage } from '../../../contract/directories.ts';
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
  const [rows, total] = await db.getRepository(directories).findAndCount({
    where: { organizationId },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { directories: rows.map(toDirectory), total_count: total, limit, offset };
}
