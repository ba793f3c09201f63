import type { DirectoryDetail } from '../../../contract/directories.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { describeDirectory, findDirectory } from './internal.ts';

/** One directory of the organization. Throws NotFoundError. */
export async function getDirectory({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { directoryId: number };
}): Promise<DirectoryDetail> {
  return await describeDirectory(ctx.db.manager, await findDirectory(ctx.db.manager, ctx, input.directoryId));
}
