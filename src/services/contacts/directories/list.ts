import type { DirectoryPage } from '../../../contract/directories.ts';
import { selectFrom } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findUsers } from './internal.ts';
import { toDirectory } from './mapper.ts';

/** One page of the organization's directories, newest first; with a text, those that have it in a name. */
export async function listDirectories({
  ctx: { db, organizationId },
  input: { limit, offset, search },
}: {
  ctx: ServiceContext;
  input: { limit: number; offset: number; search: string | undefined };
}): Promise<DirectoryPage> {
  const query = selectFrom(db, directories, { as: 'directory', organizationId });
  if (search !== undefined)
    query.andWhere(
      '(INSTR(LOWER(directory.name), LOWER(:search)) > 0 OR INSTR(LOWER(directory.fileName), LOWER(:search)) > 0)',
      { search },
    );
  const [rows, total] = await query
    .orderBy('directory.createdAt', 'DESC')
    .addOrderBy('directory.id', 'DESC')
    .limit(limit)
    .offset(offset)
    .getManyAndCount();
  const users = await findUsers(
    db.manager,
    organizationId,
    rows.map(({ id }) => id),
  );
  return {
    directories: rows.map((row) => toDirectory(row, users.get(row.id) ?? [])),
    total_count: total,
    limit,
    offset,
  };
}
