import { EntitySchema } from 'typeorm';
import { id, integer, json, longText, timestamp, nullable, reference, uuid, word } from './columns.ts';

export type AgentState = 'active' | 'archived';

/**
 * The customer's voice agent. Its versions are in agent_versions; the two pointers allow at most one draft
 * and at most one published version.
 */
export interface AgentRow {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  state: AgentState;
  folderId: number | null;
  dispositionCodes: string[];
  publishedVersionId: number | null;
  draftVersionId: number | null;
  lastVersionNumber: number;
  createdAt: Date;
  updatedAt: Date;
}

export const agents = new EntitySchema<AgentRow>({
  name: 'agents',
  columns: {
    id: id('agents'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    name: longText('name'),
    state: word('state', 16),
    folderId: nullable(reference('folder_id')),
    dispositionCodes: json('disposition_codes'),
    publishedVersionId: nullable(reference('published_version_id')),
    draftVersionId: nullable(reference('draft_version_id')),
    lastVersionNumber: integer('last_version_number'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  indices: [
    { name: 'uq_agents_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_agents_organization', columns: ['organizationId', 'createdAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_agents_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_agents_folder', target: 'folders', columnNames: ['folderId'], referencedColumnNames: ['id'] },
  ],
});
