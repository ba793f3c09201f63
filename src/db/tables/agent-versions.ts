import { EntitySchema } from 'typeorm';
import type { Definition } from '../../domain/graph/definition.ts';
import { id, integer, json, timestamp, nullable, reference, text, word } from './columns.ts';

export type VersionState = 'draft' | 'published' | 'archived';

/** One numbered definition of an agent with its settings and test values. Immutable once published. */
export interface AgentVersionRow {
  id: number;
  organizationId: number;
  agentId: number;
  number: number;
  state: VersionState;
  definition: Definition;
  settings: Record<string, unknown>;
  testValues: Record<string, unknown>;
  definitionSha256: string;
  /** What people wrote when they published or restored it; null without one. */
  note: string | null;
  createdAt: Date;
  publishedAt: Date | null;
}

export const agentVersions = new EntitySchema<AgentVersionRow>({
  name: 'agent_versions',
  columns: {
    id: id('agent_versions'),
    organizationId: reference('organization_id'),
    agentId: reference('agent_id'),
    number: integer('number'),
    state: word('state', 16),
    definition: json('definition'),
    settings: json('settings'),
    testValues: json('test_values'),
    definitionSha256: word('definition_sha256', 64),
    note: nullable(text('note', 500)),
    createdAt: timestamp('created_at'),
    publishedAt: nullable(timestamp('published_at')),
  },
  indices: [{ name: 'uq_agent_versions_number', columns: ['agentId', 'number'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_agent_versions_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_agent_versions_agent',
      target: 'agents',
      columnNames: ['agentId'],
      referencedColumnNames: ['id'],
    },
  ],
});
