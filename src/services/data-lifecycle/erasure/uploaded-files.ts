import { createHash } from 'node:crypto';
import { findRows, getRow, updateRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createContactReader } from '../../../domain/directory/read-contact.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { phoneDigits } from '../../../domain/phone/digits.ts';
import type { ContactFiles, FileRow, StoredFile } from '../../../providers/contact-files/port.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { FoundContacts } from './contacts.ts';

/** The storage of contact files, and their reader. */
export interface UploadedFileDeps {
  files: Pick<Files, 'read' | 'write'>;
  contactFiles: ContactFiles;
}

/** The ids of the directories whose files contain, or contained, the person. */
export interface PersonInFiles {
  /** Directories with the number of the person's rows. */
  found: { directoryId: number; rows: number }[];
  /** Directories with unreadable files, which may contain the person. */
  unreadable: number[];
}

interface Looking {
  ctx: Pick<ServiceContext, 'db' | 'organizationId'>;
  deps: UploadedFileDeps;
  person: FoundContacts;
}

/** Searches every contact file of the organization for the person. Skips missing files. */
export async function findInFiles({
  ctx: { db, organizationId },
  deps,
  person,
}: Looking): Promise<PersonInFiles> {
  const answer: PersonInFiles = { found: [], unreadable: [] };
  if (person.phones.length === 0 && person.identifier === null) return answer;
  for (const directory of await findRows(db, directories, { organizationId }, { order: { id: 'ASC' } })) {
    const rows = await countRows(deps, directory, person);
    if (rows === null) answer.unreadable.push(directory.id);
    else if (rows > 0) answer.found.push({ directoryId: directory.id, rows });
  }
  return answer;
}

/**
 * Throws PreconditionError if one of these files is being checked, because the import would restore the
 * person's rows. Runs before anything is changed.
 */
export async function requireUnread(
  { db, organizationId }: Looking['ctx'],
  { found }: PersonInFiles,
): Promise<void> {
  const busy = await findRows(db, directories, { organizationId, state: 'importing' }, { select: ['id'] });
  const ids = busy.map(({ id }) => id).filter((id) => found.some(({ directoryId }) => directoryId === id));
  if (ids.length > 0)
    throw new PreconditionError(
      `These directories are being checked: ${ids.join(', ')}. Wait for the check, or end it (DELETE /directories/{id}/check)`,
    );
}

/** Maximum size of a rewritten file, in bytes. */
const maxBytes = 4 * 2 ** 30;

/**
 * Empties the person's rows in the stored files of these directories. Replaces each file atomically and
 * writes blank lines for those rows, so that all other rows keep their numbers. A check that begins meanwhile
 * reads the file that is registered then, or none (services/directories). A repeated run finds nothing.
 * Answers the number of rows.
 */
export async function eraseFromFiles({
  ctx: { db, organizationId },
  deps,
  person,
  where,
}: Looking & { where: PersonInFiles }): Promise<number> {
  let rows = 0;
  for (const { directoryId, rows: count } of where.found) {
    const directory = await getRow(db, directories, { id: directoryId, organizationId });
    const { reading, bytes } = deps.contactFiles.blank(
      fileOf(deps, directory),
      directory.reading,
      isOf(directory, person),
    );
    const hash = createHash('sha256');
    let written = 0;
    await deps.files.write(
      directory.fileKey,
      counted(bytes, (chunk) => {
        hash.update(chunk);
        written += chunk.length;
      }),
      maxBytes,
    );
    await inTransaction(db, (tx) =>
      updateRows(tx, directories, {
        where: { id: directoryId, organizationId },
        change: { reading, kind: 'csv', bytes: written, sha256: hash.digest('hex') },
      }),
    );
    rows += count;
  }
  return rows;
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    count(chunk);
    yield chunk;
  }
}

function fileOf({ files }: UploadedFileDeps, { fileKey, bytes }: DirectoryRow): StoredFile {
  return { bytes, read: (range) => files.read(fileKey, range) };
}

/** Counts the person's rows in a file; null if the file is unreadable. */
async function countRows(
  deps: UploadedFileDeps,
  directory: DirectoryRow,
  person: FoundContacts,
): Promise<number | null> {
  const isTheirs = isOf(directory, person);
  let count = 0;
  try {
    for await (const rows of deps.contactFiles.rows(fileOf(deps, directory), directory.reading))
      count += rows.filter(isTheirs).length;
    return count;
  } catch (error) {
    if (error instanceof NotFoundError) return 0;
    if (error instanceof ValidationError) return null;
    throw error;
  }
}

/**
 * Matches a row by the number in its column, read as an import reads it, by a number in any other cell, and
 * by the identifier in its column.
 */
function isOf(
  { columns, mapping }: DirectoryRow,
  { phones, identifier }: FoundContacts,
): (row: FileRow) => boolean {
  const read = createContactReader({ columns, mapping, zoneKeyOf: () => '' });
  const theirs = new Set(phones);
  const isNumber = (text: string): boolean => theirs.has(phoneDigits(text) ?? '');
  return (row) => {
    if (row.isBlank) return false;
    const contact = read(row);
    if (contact.phone !== null && theirs.has(contact.phone)) return true;
    // guarantee: erasure-empties-stored-file-rows
    return (
      (identifier !== null && contact.identifier === identifier) ||
      row.cells.some((cell) => cell.split(/[,;|/]/).some(isNumber))
    );
  };
}
