import { EntitySchema } from 'typeorm';
import { bytes, primaryInteger, primaryReference, reference, word } from './columns.ts';

/**
 * What a block of consecutive contacts holds, so that a search and a filter read only the blocks that may
 * have what they look for (docs/directories.md). A block may name more than its contacts hold, never less.
 */
export interface ContactBlockRow {
  directoryId: number;
  importNumber: number;
  /** 0 for the first contacts (src/services/contacts/directories/blocks.ts). */
  blockNumber: number;
  organizationId: number;
  /** States of its contacts, with commas between them. */
  states: string;
  /** Codes of their findings, with commas between them. */
  findings: string;
  /** Of their numbers and cells (src/domain/directory/grams.ts). */
  grams: Uint8Array;
}

export const contactBlocks = new EntitySchema<ContactBlockRow>({
  name: 'contact_blocks',
  columns: {
    directoryId: primaryReference('directory_id', 'contact_blocks'),
    importNumber: primaryInteger('import_number', 'contact_blocks'),
    blockNumber: primaryInteger('block_number', 'contact_blocks'),
    organizationId: reference('organization_id'),
    states: word('states', 255),
    findings: word('findings', 1024),
    grams: bytes('grams'),
  },
  foreignKeys: [
    {
      name: 'fk_contact_blocks_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_contact_blocks_directory',
      target: 'directories',
      columnNames: ['directoryId'],
      referencedColumnNames: ['id'],
    },
  ],
});
