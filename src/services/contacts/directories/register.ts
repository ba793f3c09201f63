import { findRow } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { isDuplicate } from '../../../db/transaction.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { fileNameOf, organizationOfKey } from '../../../domain/files/key.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { requireColumns, requirePhoneColumn, suggestedMapping } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import { changeMapping } from './change-mapping.ts';
import { sha256Of } from './hashed-file.ts';
import { insertDirectory } from './insert-directory.ts';
import { inspectFile, requireStorage, storedFile } from './internal.ts';

interface RegisterInput {
  /** `file_key` of contract 11.1. */
  fileKey: string;
  /**
   * Whose cells are `ext_customer_id` (contract 11.4); absent = by the names of the columns, or as it was.
   */
  identifierColumn?: string | undefined;
}

/** `campaigns/7/<uuid>_contacts.csv` was uploaded as `contacts.csv`, or nearly so. */
const uuidLength = 37;

/**
 * The directory of an uploaded file: made, or found when the file is one already. Throws PreconditionError
 * (400) for a key of nobody's or somebody else's file, for one that is no contact file (contract 11.3), and
 * for an identifier column that is not in it; ConflictError when a campaign uses it with another one;
 * UnavailableError without a storage.
 */
export async function registerUpload({
  ctx,
  deps,
  input: { fileKey, identifierColumn },
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: RegisterInput;
}): Promise<DirectoryRow> {
  const { organizationId, db } = ctx;
  const isOurs = fileKey.startsWith('campaigns/') && organizationOfKey(fileKey) === organizationId;
  const known = isOurs ? await findRow(db.manager, directories, { organizationId, fileKey }) : null;
  if (known !== null) return await withIdentifier(ctx, known, identifierColumn);
  const facts = isOurs ? await requireStorage(deps).facts(fileKey) : null;
  if (facts === null) throw new PreconditionError(`No file was uploaded as '${fileKey}'`, { status: 400 });

  const file = storedFile(deps, { fileKey, bytes: facts.bytes });
  // Before it is looked at: what replaces it meanwhile has another hash than this, and no import takes it.
  const sha256 = await sha256Of(file);
  const { kind, reading, columns, preview } = await inspectFile(deps, file);
  if (preview.length === 0)
    throw new PreconditionError('The file has no data row below its header', { status: 400 });
  const mapping = {
    ...suggestedMapping(columns),
    ...(identifierColumn === undefined ? {} : { identifier: identifierColumn }),
  };
  requirePhoneColumn(mapping);
  requireColumns(mapping, columns);
  const fileName = fileNameOf(fileKey).slice(uuidLength);
  try {
    return await write(ctx, (tx) =>
      insertDirectory(tx, ctx, {
        name: fileName,
        fileKey,
        fileName,
        kind,
        bytes: facts.bytes,
        sha256,
        reading,
        columns,
        mapping,
      }),
    );
  } catch (error) {
    if (!isDuplicate(error, 'uq_directories_file_key')) throw error;
    // Another request has registered the same file meanwhile: it is one directory, whoever was first.
    const made = await findRow(db.manager, directories, { organizationId, fileKey });
    if (made === null) throw new PreconditionError(`No file was uploaded as '${fileKey}'`, { status: 400 });
    return await withIdentifier(ctx, made, identifierColumn);
  }
}

/** What a directory is already is not changed under those who use it. */
async function withIdentifier(
  ctx: ServiceContext,
  row: DirectoryRow,
  identifierColumn: string | undefined,
): Promise<DirectoryRow> {
  requirePhoneColumn(row.mapping);
  if (identifierColumn === undefined || identifierColumn === row.mapping.identifier) return row;
  return await write(
    ctx,
    async (tx) =>
      await changeMapping(tx, ctx, { directoryId: row.id, mapping: { identifier: identifierColumn } }),
  );
}
