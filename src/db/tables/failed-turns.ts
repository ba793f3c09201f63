import { EntitySchema } from 'typeorm';
import { id, integer, json, timestamp, reference } from './columns.ts';

/** A turn that failed and changed nothing. */
export interface FailedTurnRow {
  id: number;
  organizationId: number;
  callId: number;
  /** Number of the failure within its call, from 1. */
  failure: number;
  /** The position the turn would have had. */
  branch: number;
  turnIndex: number;
  /** As the log of the call shows it (contract 6.7). */
  event: Record<string, unknown>;
  createdAt: Date;
}

export const failedTurns = new EntitySchema<FailedTurnRow>({
  name: 'failed_turns',
  columns: {
    id: id('failed_turns'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    failure: integer('failure'),
    branch: integer('branch'),
    turnIndex: integer('turn_index'),
    event: json('event'),
    createdAt: timestamp('created_at'),
  },
  indices: [{ name: 'uq_failed_turns_place', columns: ['callId', 'failure'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_failed_turns_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_failed_turns_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
