import { EntitySchema } from 'typeorm';
import type { ContactState } from '../../domain/directory/contact-state.ts';
import type { CellFinding } from '../../domain/directory/findings.ts';
import { json, nullable, primaryInteger, primaryReference, reference, text, word } from './columns.ts';

export type { ContactState } from '../../domain/directory/contact-state.ts';

/** One row of a directory's file, as one import read it. */
export interface ContactRow {
  directoryId: number;
  importNumber: number;
  /** 1 for the first record after the header; blank records count (contract 11.4). */
  rowNumber: number;
  organizationId: number;
  state: ContactState;
  /** Digits with country code, no plus; null without a number. */
  phone: string | null;
  /**
   * IANA name, or `+` and leading digits of the number if all possible zones count; empty when unknown
   * (src/domain/phone/zones.ts).
   */
  zoneKey: string;
  /** Text of the identifier's cell; null without one. */
  identifier: string | null;
  /** The priority from the file, or 0. Higher is earlier. */
  priority: number;
  /** Texts in the order of the directory's columns. */
  cells: string[];
  /** Faults and warnings of the row; null when there are none. */
  findings: CellFinding[] | null;
}

export const contacts = new EntitySchema<ContactRow>({
  name: 'contacts',
  columns: {
    directoryId: primaryReference('directory_id', 'contacts'),
    importNumber: primaryInteger('import_number', 'contacts'),
    rowNumber: primaryInteger('row_number', 'contacts'),
    organizationId: reference('organization_id'),
    state: word('state', 16),
    phone: nullable(word('phone', 20)),
    zoneKey: word('zone_key', 64),
    identifier: nullable(text('identifier', 255)),
    priority: { name: 'priority', type: 'int' },
    cells: json('cells'),
    findings: nullable(json('findings')),
  },
  indices: [
    { name: 'ix_contacts_phone', columns: ['organizationId', 'phone'] },
    // Callable contacts of an import by zone.
    { name: 'ix_contacts_zone', columns: ['directoryId', 'importNumber', 'zoneKey', 'state'] },
  ],
  foreignKeys: [
    {
      name: 'fk_contacts_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_contacts_directory',
      target: 'directories',
      columnNames: ['directoryId'],
      referencedColumnNames: ['id'],
    },
  ],
});
