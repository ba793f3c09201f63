import { EntitySchema } from 'typeorm';
import { timestamp, reference, word } from './columns.ts';

/**
 * The owner of a trigger path. A path stays reserved while any draft or published version of an agent uses it
 * (contract 4.3).
 */
export interface TriggerPathRow {
  path: string;
  organizationId: number;
  agentId: number;
  createdAt: Date;
}

export const triggerPaths = new EntitySchema<TriggerPathRow>({
  name: 'trigger_paths',
  columns: {
    path: { ...word('path', 36), primary: true, primaryKeyConstraintName: 'pk_trigger_paths' },
    organizationId: reference('organization_id'),
    agentId: reference('agent_id'),
    createdAt: timestamp('created_at'),
  },
  indices: [{ name: 'ix_trigger_paths_agent', columns: ['agentId'] }],
  foreignKeys: [
    {
      name: 'fk_trigger_paths_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_trigger_paths_agent',
      target: 'agents',
      columnNames: ['agentId'],
      referencedColumnNames: ['id'],
    },
  ],
});
