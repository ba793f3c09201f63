import type { DataSource, EntityManager } from 'typeorm';
import { changeRows, deleteRows } from '../../../db/rows.ts';
import { contactBlocks } from '../../../db/tables/contact-blocks.ts';
import type { ContactRow } from '../../../db/tables/contacts.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { noteInBlocks } from './blocks.ts';

/**
 * Maximum of one statement. More rows are not faster (tools/bench/report.md, Imports), and a server takes at
 * most 16 MB.
 */
export const maxOfStatement = { rows: 2000, characters: 2_000_000 };

const digits = /^\d{1,20}$/;

/** An import, which rows belong to. */
export interface ImportRef {
  directoryId: number;
  organizationId: number;
  importNumber: number;
}

/** A row of an import. */
export interface NewContact extends Pick<
  ContactRow,
  'rowNumber' | 'state' | 'phone' | 'zoneKey' | 'identifier' | 'priority' | 'findings'
> {
  /** Already JSON; only its length is checked before it is written. */
  cells: string;
}

/**
 * Writes rows of one import, in place of those with the same row numbers. Our own words, digits and numbers
 * are part of the statement; values from the file are parameters.
 */
export async function insertContacts(
  tx: EntityManager,
  ref: ImportRef,
  rows: readonly NewContact[],
): Promise<void> {
  const { directoryId, organizationId, importNumber } = ref;
  const values: unknown[] = [];
  const tuples = rows.map(({ rowNumber, state, phone, zoneKey, identifier, priority, cells, findings }) => {
    if (phone !== null && !digits.test(phone))
      throw new InvariantError('A phone of a contact is not digits alone');
    values.push(
      organizationId,
      zoneKey,
      identifier,
      cells,
      findings === null ? null : JSON.stringify(findings),
    );
    return `(${directoryId},${importNumber},${rowNumber},?,'${state}',${phone === null ? 'NULL' : `'${phone}'`},?,?,${priority},?,?)`;
  });
  await changeRows(tx, {
    organizationId,
    sql: `REPLACE INTO contacts (directory_id, import_number, \`row_number\`, organization_id, state, phone, zone_key, identifier, priority, cells, findings) VALUES ${tuples.join(',')}`,
    values,
  });
  await noteInBlocks(tx, ref, rows);
}

/** Rows that one statement removes. Few rows keep locks short and the undo log small. */
const removedAtOnce = 5000;

/** Removes some rows of one import. Answers whether there may be more. */
export async function removeSome(
  manager: EntityManager,
  { directoryId, organizationId, importNumber }: ImportRef,
): Promise<boolean> {
  await deleteRows(manager, contactBlocks, { directoryId, importNumber, organizationId });
  const affectedRows = await changeRows(manager, {
    organizationId,
    sql: 'DELETE FROM contacts WHERE directory_id = ? AND import_number = ? AND organization_id = ? LIMIT ?',
    values: [directoryId, importNumber, organizationId, removedAtOnce],
  });
  return affectedRows >= removedAtOnce;
}

/** Removes all rows of one import. */
export async function removeContacts(
  { manager }: DataSource,
  ref: ImportRef,
  signal?: AbortSignal,
): Promise<void> {
  do signal?.throwIfAborted();
  while (await removeSome(manager, ref));
}
