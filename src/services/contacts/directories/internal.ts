import { In, type EntityManager } from 'typeorm';
import type { Directory } from '../../../contract/directories.ts';
import { findRow, findRows, selectFrom } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { ConflictError, NotFoundError, PreconditionError, UnavailableError } from '../../../domain/errors.ts';
import type { ReadFile, StoredFile } from '../../../providers/contact-files/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { ContactFileDeps, DirectoryDeps } from './deps.ts';
import { toDirectoryDetail } from './mapper.ts';

/** A directory of the organization. Throws NotFoundError for an unknown or foreign one. */
export async function findDirectory(
  manager: EntityManager,
  { organizationId }: Pick<ServiceContext, 'organizationId'>,
  directoryId: number,
  options: { isLocked?: boolean } = {},
): Promise<DirectoryRow> {
  const row = await findRow(manager, directories, { id: directoryId, organizationId }, options);
  if (row === null) throw new NotFoundError('Directory not found');
  return row;
}

/** The answer for a directory, with the directories that have exactly the same bytes, newest first. */
export async function describeDirectory(
  manager: EntityManager,
  row: DirectoryRow,
): Promise<ReturnType<typeof toDirectoryDetail>> {
  const same = await findRows(manager, directories, {
    organizationId: row.organizationId,
    sha256: row.sha256,
  });
  return toDirectoryDetail(row, {
    campaigns: (await findUsers(manager, row.organizationId, [row.id])).get(row.id) ?? [],
    sameFile: same
      .filter(({ id }) => id !== row.id)
      .toSorted((a, b) => b.id - a.id)
      .slice(0, maxSame),
  });
}

const maxSame = 20;

/** The campaigns that call the rows of directories, newest first, by directory. */
export async function findUsers(
  manager: EntityManager,
  organizationId: number,
  directoryIds: readonly number[],
): Promise<ReadonlyMap<number, Directory['campaigns']>> {
  if (directoryIds.length === 0) return new Map();
  const users = await selectFrom(manager, campaigns, { as: 'campaign', organizationId })
    .select(['campaign.id', 'campaign.name', 'campaign.directoryId'])
    .andWhere({ directoryId: In([...directoryIds]) })
    .orderBy('campaign.id', 'DESC')
    .getMany();
  const byDirectory = Map.groupBy(users, ({ directoryId }) => directoryId);
  return new Map(
    [...byDirectory].map(([directoryId, all]) => [directoryId, all.map(({ id, name }) => ({ id, name }))]),
  );
}

type Storage = NonNullable<ContactFileDeps['files']>;

/** Throws UnavailableError without a storage. */
export function requireStorage({ files }: Pick<DirectoryDeps, 'files'>): Storage {
  if (files === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  return files;
}

/** The stored file of a directory. Throws UnavailableError without a storage. */
export function storedFile(
  deps: Pick<DirectoryDeps, 'files'>,
  { fileKey, bytes }: Pick<DirectoryRow, 'fileKey' | 'bytes'>,
): StoredFile {
  const files = requireStorage(deps);
  return { bytes, read: (range) => files.read(fileKey, range) };
}

/** Inspects the file with the requested reading. Throws PreconditionError (400) if that is not possible. */
export async function inspectFile(
  { contactFiles }: Pick<DirectoryDeps, 'contactFiles'>,
  file: StoredFile,
  wished: Parameters<ContactFileDeps['contactFiles']['inspect']>[1] = {},
): Promise<ReadFile> {
  const inspection = await contactFiles.inspect(file, wished);
  if (inspection.kind === 'refused') throw new PreconditionError(inspection.message, { status: 400 });
  return inspection;
}

/**
 * Throws ConflictError if a campaign calls its rows or has called them, because their meaning must not
 * change.
 */
export async function requireUnused(tx: EntityManager, { id, organizationId }: DirectoryRow): Promise<void> {
  const used = await findRow(tx, campaigns, { organizationId, directoryId: id });
  if (used !== null)
    throw new ConflictError(
      `Campaign ${used.id} uses this directory: upload the file again to read it differently`,
    );
}

/** Throws ConflictError during a check. */
export function requireIdle({ state }: DirectoryRow): void {
  if (state === 'importing') throw new ConflictError('A check of this directory is running');
}
