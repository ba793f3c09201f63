import { findRow } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { isDuplicate } from '../../../db/transaction.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { fileNameOf, organizationOfKey } from '../../../domain/files/key.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { carriedMapping, publishedPhone, requireColumns, requirePhoneColumn } from './check-mapping.ts';
import type { DirectoryDeps } from './deps.ts';
import type { Reading } from '../../../domain/directory/reading.ts';
import { changeMapping } from './change-mapping.ts';
import { hashFile } from './hashed-file.ts';
import { findOrigin } from './find-origin.ts';
import { insertDirectory } from './insert-directory.ts';
import { inspectFile, requireStorage, storedFile } from './internal.ts';
import { wishOf } from './update.ts';

interface RegisterInput {
  /** `file_key` of contract 11.1. */
  fileKey: string;
  /** Column of `ext_customer_id` (contract 11.4); absent = by the names of the columns, or unchanged. */
  identifierColumn?: string | undefined;
  /** Confirms the encoding, or chooses another one; absent = as detected or unchanged. */
  encoding?: string | undefined;
}

/** `campaigns/7/<uuid>_contacts.csv` was uploaded as `contacts.csv`, or nearly so. */
const uuidLength = 37;

/**
 * The directory of an uploaded file: a new one, or the existing one of that file. Throws PreconditionError
 * (400) for an unknown or foreign key, for a file that is not a contact file (contract 11.3), for an encoding
 * that is only a guess, and for a missing identifier column; ConflictError if a campaign uses it with another
 * column or encoding; UnavailableError without a storage.
 */
export async function registerUpload({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: DirectoryDeps;
  input: RegisterInput;
}): Promise<DirectoryRow> {
  const { fileKey, identifierColumn, encoding } = input;
  const { organizationId, db } = ctx;
  const isOurs = fileKey.startsWith('campaigns/') && organizationOfKey(fileKey) === organizationId;
  const known = isOurs ? await findRow(db.manager, directories, { organizationId, fileKey }) : null;
  if (known !== null) return await asWished(ctx, deps, known, input);
  const facts = isOurs ? await requireStorage(deps).facts(fileKey) : null;
  if (facts === null) throw new PreconditionError(`No file was uploaded as '${fileKey}'`, { status: 400 });

  const file = storedFile(deps, { fileKey, bytes: facts.bytes });
  // Hashed before the inspection: a file that replaces it meanwhile has another hash, and no import accepts
  // it.
  const sha256 = await hashFile(file);
  const { kind, reading, columns, preview, doubt, otherSheet } = await inspectFile(
    deps,
    file,
    toWish(encoding),
  );
  requireCertain(doubt);
  if (preview.length === 0)
    throw new PreconditionError('The file has no data row below its header', { status: 400 });
  const fileName = fileNameOf(fileKey).slice(uuidLength);
  const { repairedFromId, mapping: found } = await findOrigin(db.manager, ctx, { columns, fileName });
  const mapping = {
    ...found,
    phone: repairedFromId === null ? publishedPhone(columns, otherSheet) : found.phone,
    ...(identifierColumn === undefined ? {} : { identifier: identifierColumn }),
  };
  requireColumns(mapping, columns);
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
        repairedFromId,
      }),
    );
  } catch (error) {
    if (!isDuplicate(error, 'uq_directories_file_key')) throw error;
    // Another request has registered the same file meanwhile. Both get the same directory.
    const made = await findRow(db.manager, directories, { organizationId, fileKey });
    if (made === null) throw new PreconditionError(`No file was uploaded as '${fileKey}'`, { status: 400 });
    return await asWished(ctx, deps, made, input);
  }
}

/** A directory that is in use does not change, except that its guessed encoding may be confirmed. */
async function asWished(
  ctx: ServiceContext,
  deps: DirectoryDeps,
  row: DirectoryRow,
  { identifierColumn, encoding }: RegisterInput,
): Promise<DirectoryRow> {
  requirePhoneColumn(row);
  const isReadAgain = encoding !== undefined || row.reading.isGuess === true;
  if (!isReadAgain && (identifierColumn ?? row.mapping.identifier) === row.mapping.identifier) return row;
  const read = isReadAgain
    ? await inspectFile(deps, storedFile(deps, row), wishOf(row.reading, toWish(encoding)))
    : undefined;
  requireCertain(read?.doubt ?? null);
  return await write(
    ctx,
    async (tx) =>
      await changeMapping(tx, ctx, {
        directoryId: row.id,
        read,
        mapping: identifierColumn === undefined ? undefined : { identifier: identifierColumn },
        carry: carriedMapping,
      }),
  );
}

const toWish = (encoding: string | undefined): Partial<Reading> =>
  encoding === undefined ? {} : { encoding };

/** Throws PreconditionError (400) for an encoding that nobody has confirmed. */
function requireCertain(doubt: string | null): void {
  // guarantee: guessed-encoding-starts-no-campaign
  if (doubt !== null)
    throw new PreconditionError(
      `${doubt}. Confirm one: send it as \`encoding\`, or save the file as UTF-8 and upload it again`,
      { status: 400 },
    );
}
