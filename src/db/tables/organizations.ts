import { EntitySchema } from 'typeorm';
import { id, longText, timestamp, uuid } from './columns.ts';

/** A tenant. Every other row has its id. */
export interface OrganizationRow {
  id: number;
  uuid: string;
  name: string;
  createdAt: Date;
}

export const organizations = new EntitySchema<OrganizationRow>({
  name: 'organizations',
  columns: {
    id: id('organizations'),
    uuid: uuid(),
    name: longText('name'),
    createdAt: timestamp('created_at'),
  },
  indices: [{ name: 'uq_organizations_uuid', columns: ['uuid'], unique: true }],
});
