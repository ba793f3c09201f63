import type { FileMetadata } from '../../../contract/files.ts';
import type { ServiceContext, FileStore } from '../../kernel/index.ts';
import { factsOf, findFile } from './find.ts';
import { toFileMetadata } from './mapper.ts';

/** Returns the metadata of a file of the organization (contract 6.9). Throws NotFoundError. */
export async function getFileMetadata({
  ctx,
  storage,
  key,
}: {
  ctx: ServiceContext;
  storage: FileStore | undefined;
  key: string;
}): Promise<FileMetadata> {
  const file = await findFile({ ctx, storage, key });
  return toFileMetadata({ key, facts: await factsOf(ctx, file), backend: file.backend });
}
