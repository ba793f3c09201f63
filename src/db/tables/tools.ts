import { EntitySchema } from 'typeorm';
import { id, json, longText, timestamp, nullable, reference, text, uuid, word } from './columns.ts';

export type ToolState = 'active' | 'archived' | 'draft';

/**
 * Something an agent can do during a conversation. `definition` is the customer's, validated and complete
 * (contract 15.1).
 */
export interface ToolRow {
  id: number;
  uuid: string;
  organizationId: number;
  createdByUserId: number | null;
  name: string;
  description: string | null;
  /** Also the type of the definition. */
  category: string;
  icon: string;
  iconColor: string;
  state: ToolState;
  definition: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

export const tools = new EntitySchema<ToolRow>({
  name: 'tools',
  columns: {
    id: id('tools'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    createdByUserId: nullable(reference('created_by_user_id')),
    name: text('name', 255),
    description: nullable(longText('description')),
    category: word('category', 32),
    icon: longText('icon'),
    iconColor: longText('icon_color'),
    state: word('state', 16),
    definition: json('definition'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  indices: [
    { name: 'uq_tools_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_tools_organization_created', columns: ['organizationId', 'createdAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_tools_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_tools_created_by_user',
      target: 'users',
      columnNames: ['createdByUserId'],
      referencedColumnNames: ['id'],
    },
  ],
});
