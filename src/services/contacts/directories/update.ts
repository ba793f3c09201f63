import type { DirectoryDetail } from '../../../contract/directories.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import type { Reading } from '../../../domain/directory/reading.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { changeMapping } from './change-mapping.ts';
import { carriedMapping } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import { describeDirectory, findDirectory, inspectFile, requireIdle, storedFile } from './internal.ts';

interface UpdateInput {
  directoryId: number;
  name?: string | undefined;
  reading?: Partial<Reading> | undefined;
  mapping?: Partial<Mapping> | undefined;
}

/**
 * Changes a directory's name, how its file is read, and the meaning of its columns. Throws NotFoundError;
 * ConflictError during a check or once a campaign uses it; PreconditionError (400) for what does not fit the
 * file; UnavailableError without a storage.
 */
export async function updateDirectory({
  ctx,
  deps,
  input: { directoryId, name, reading, mapping },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: UpdateInput;
}): Promise<DirectoryDetail> {
  const row = await findDirectory(ctx.db.manager, ctx, directoryId);
  if (reading !== undefined) requireIdle(row);
  const read =
    reading === undefined
      ? undefined
      : await inspectFile(deps, storedFile(deps, row), wishOf(row.reading, reading));
  return await write(ctx, async (tx) => {
    const changed = await changeMapping(tx, ctx, { directoryId, name, read, mapping, carry: carriedMapping });
    return await describeDirectory(tx, changed);
  });
}

/**
 * The reading to request: the stored one with the changes. If another sheet or line makes it a different
 * table, the rest is detected again.
 */
export function wishOf(before: Reading, wished: Partial<Reading>): Partial<Reading> {
  const isOtherSheet = wished.sheet !== undefined && wished.sheet !== before.sheet;
  const kept = isOtherSheet ? {} : { headerLine: before.headerLine };
  const { encoding, separator, sheet, isGuess = false } = before;
  return {
    ...(encoding === null ? {} : { encoding }),
    ...(isGuess && wished.encoding === undefined ? { isGuess } : {}),
    ...(separator === null ? {} : { separator }),
    ...(sheet === null ? {} : { sheet }),
    ...kept,
    ...wished,
  };
}
