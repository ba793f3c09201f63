import { EntitySchema } from 'typeorm';
import type { Reading } from '../../domain/directory/reading.ts';
import type { Mapping } from '../../domain/directory/mapping.ts';
import type { ImportTotals } from '../../domain/directory/totals.ts';
import { id, integer, json, longText, timestamp, nullable, reference, text, uuid, word } from './columns.ts';

export type DirectoryState = 'uploaded' | 'importing' | 'ready' | 'failed';

/**
 * A contact file as it was uploaded, how to read it, and the result of its last import. Its rows are in
 * `contacts`.
 */
export interface DirectoryRow {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  /** Storage key of the file: the `source_id` of campaigns (contract 11.1). */
  fileKey: string;
  fileName: string;
  kind: 'csv' | 'xlsx';
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  reading: Reading;
  mapping: Mapping;
  state: DirectoryState;
  /**
   * Number of imports. Rows of an older import stay while a campaign uses them. 0 before the first import.
   */
  importNumber: number;
  /** Column names in the order of `contacts.cells`; empty before the first import. */
  columns: string[];
  /** Of the running import, or of the last one. */
  totals: ImportTotals;
  /** Why the last import failed, for people. */
  fault: string | null;
  /** The directory whose repaired error file this is; null for a file of its own. */
  repairedFromId: number | null;
  createdByUserId: number | null;
  createdAt: Date;
  importedAt: Date | null;
}

export const directories = new EntitySchema<DirectoryRow>({
  name: 'directories',
  columns: {
    id: id('directories'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    name: text('name', 255),
    fileKey: word('file_key', 255),
    fileName: text('file_name', 255),
    kind: word('kind', 8),
    bytes: reference('bytes'),
    sha256: word('sha256', 64),
    reading: json('reading'),
    mapping: json('mapping'),
    state: word('state', 16),
    importNumber: integer('import_number'),
    columns: json('columns'),
    totals: json('totals'),
    fault: nullable(longText('fault')),
    repairedFromId: nullable(reference('repaired_from_id')),
    createdByUserId: nullable(reference('created_by_user_id')),
    createdAt: timestamp('created_at'),
    importedAt: nullable(timestamp('imported_at')),
  },
  indices: [
    { name: 'uq_directories_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_directories_file_key', columns: ['fileKey'], unique: true },
    { name: 'ix_directories_list', columns: ['organizationId', 'createdAt'] },
    { name: 'ix_directories_sha256', columns: ['organizationId', 'sha256'] },
    // Imports that are waiting to start.
    { name: 'ix_directories_state', columns: ['state'] },
  ],
  foreignKeys: [
    {
      name: 'fk_directories_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
