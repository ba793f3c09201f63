import { IsNull, type EntityManager } from 'typeorm';
import { findRow, findRows } from '../../../db/rows.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import { splitRepaired } from '../../../domain/directory/repair-columns.ts';
import { suggestMapping } from '../../../domain/directory/suggest-mapping.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** What a new file is: the repaired error file of an earlier directory, or a file of its own. */
export interface FoundOrigin {
  repairedFromId: number | null;
  mapping: Mapping;
}

/**
 * The mapping of a new file. A repaired error file is mapped like its origin, and what the error file added
 * becomes no variable. The origin is the directory that the file's name says, otherwise the only one with
 * these columns.
 */
export async function findOrigin(
  manager: EntityManager,
  ctx: ServiceContext,
  { columns, fileName }: { columns: string[]; fileName: string },
): Promise<FoundOrigin> {
  const split = splitRepaired(columns);
  if (split === null) return { repairedFromId: null, mapping: suggestMapping(columns) };
  const origin =
    (await namedOrigin(manager, ctx, { own: split.own, fileName })) ??
    (await onlyOrigin(manager, ctx, split.own));
  const mapping = origin?.mapping ?? suggestMapping(columns);
  // guarantee: repaired-file-has-no-added-variables
  return {
    repairedFromId: origin?.id ?? null,
    mapping: { ...mapping, skipped: [...mapping.skipped, ...split.added] },
  };
}

const errorFileName = /directory_(\d{1,15})_errors/;

async function namedOrigin(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { own, fileName }: { own: string[]; fileName: string },
): Promise<DirectoryRow | null> {
  const [, id] = errorFileName.exec(fileName) ?? [];
  if (id === undefined) return null;
  const named = await findRow(manager, directories, { id: Number(id), organizationId });
  const origin =
    named === null || named.repairedFromId === null
      ? named
      : await findRow(manager, directories, { id: named.repairedFromId, organizationId });
  return origin !== null && isSame(origin.columns, own) ? origin : null;
}

/** Directories that are compared, the latest ones. */
const maxCompared = 200;

async function onlyOrigin(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  own: string[],
): Promise<DirectoryRow | null> {
  const latest = await findRows(
    manager,
    directories,
    { organizationId, state: 'ready', repairedFromId: IsNull() },
    { order: { id: 'DESC' }, take: maxCompared },
  );
  const [only, ...others] = latest.filter(({ columns }) => isSame(columns, own));
  return others.length === 0 ? (only ?? null) : null;
}

const isSame = (one: string[], other: string[]): boolean => JSON.stringify(one) === JSON.stringify(other);
