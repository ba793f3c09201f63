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
  /** Column of `ext_customer_id` (contract 11.4); absent = by the names of the columns, or unchanged. */
  identifierColumn?: string | undefined;
}

/** `campaigns/7/<uuid>_contacts.csv` was uploaded as `contacts.csv`, or nearly so. */
const uuidLength = 37;

/**
 * The directory of an uploaded file: a new one, or the existing one of that file. Throws PreconditionError
 * (400) for an unknown or foreign key, for a file that is not a contact file (contract 11.3), and for a
 * missing identifier column; ConflictError if a campaign uses it with another one; UnavailableError without a
 * storage.
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
  // Hashed before the inspection: a file that replaces it meanwhile has another hash, and no import accepts
  // it.
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
    // Another request has registered the same file meanwhile. Both get the same directory.
    const made = await findRow(db.manager, directories, { organizationId, fileKey });
    if (made === null) throw new PreconditionError(`No file was uploaded as '${fileKey}'`, { status: 400 });
    return await withIdentifier(ctx, made, identifierColumn);
  }
}

/** A directory that is in use does not change. */
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
