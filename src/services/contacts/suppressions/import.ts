import type { ImportedSuppressions } from '../../../contract/suppressions.ts';
import { PreconditionError, UnavailableError } from '../../../domain/errors.ts';
import { uploadKey } from '../../../domain/files/key.ts';
import type { ContactFiles, ReadFile, StoredFile } from '../../../providers/contact-files/port.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { addRows } from './add-rows.ts';
import { columnOf } from './phone-column.ts';

/** What reads a file of numbers, and where it is stored meanwhile. */
interface SuppressionFileDeps {
  /** Absent = the installation keeps no files. */
  files?: Pick<Files, 'write' | 'facts' | 'read' | 'remove'> | undefined;
  contactFiles: ContactFiles;
}

export interface ImportSuppressionsInput {
  bytes: AsyncIterable<Uint8Array>;
  /** Name of the column with the numbers; absent = it is detected. */
  column: string | undefined;
  /** Two letters: the country of numbers without a country code. Null = they must have one. */
  defaultCountry: string | null;
  reason: string;
}

/** A million numbers take a quarter of this. */
const maxBytes = 67_108_864;

/**
 * Adds the numbers of a file to the organization's list while it is read, with memory that does not depend on
 * their count. The file is stored meanwhile, because it is inspected before it is read, and is then removed.
 * Throws PreconditionError (400 for an unreadable file, 413) and UnavailableError.
 */
export async function importSuppressions({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: SuppressionFileDeps;
  input: ImportSuppressionsInput;
}): Promise<ImportedSuppressions> {
  const { files, contactFiles } = deps;
  if (files === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  const key = uploadKey({
    purpose: 'campaigns',
    organizationId: ctx.organizationId,
    uuid: ctx.ids.uuid(),
    fileName: 'suppressions',
  });
  try {
    if (!(await files.write(key, input.bytes, maxBytes)))
      throw new PreconditionError(`The file is larger than ${maxBytes} bytes: split it`, { status: 413 });
    const file: StoredFile = {
      bytes: (await files.facts(key))?.bytes ?? 0,
      read: (range) => files.read(key, range),
    };
    const found = await inspect(contactFiles, file);
    const column = columnOf(found.columns, input);
    return await addRows({
      ctx,
      rows: contactFiles.rows(file, found.reading),
      column,
      headerLine: found.reading.headerLine,
      input,
    });
  } finally {
    await files.remove(key);
  }
}

async function inspect(contactFiles: ContactFiles, file: StoredFile): Promise<ReadFile> {
  const found = await contactFiles.inspect(file);
  if (found.kind === 'refused') throw new PreconditionError(found.message, { status: 400 });
  return found;
}
