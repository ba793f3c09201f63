import { EntitySchema } from 'typeorm';
import { id, timestamp, reference, text } from './columns.ts';

/** A group of agents in lists; an agent names its folder. */
export interface FolderRow {
  id: number;
  organizationId: number;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

export const folders = new EntitySchema<FolderRow>({
  name: 'folders',
  columns: {
    id: id('folders'),
    organizationId: reference('organization_id'),
    name: text('name', 100),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  indices: [{ name: 'uq_folders_name', columns: ['organizationId', 'name'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_folders_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
