import { EntitySchema } from 'typeorm';
import { id, integer, json, longText, timestamp, reference } from './columns.ts';

/**
 * A summary of a call up to a turn. It replaces the first lines of a long call in the prompts of later turns,
 * and nowhere else.
 */
export interface CallSummaryRow {
  id: number;
  organizationId: number;
  callId: number;
  /** The turn after which it was made; it is valid while that turn is. */
  branch: number;
  turnIndex: number;
  /** Number of lines that it replaces, from the beginning of the call. */
  lineCount: number;
  text: string;
  usage: Record<string, unknown>;
  createdAt: Date;
}

export const callSummaries = new EntitySchema<CallSummaryRow>({
  name: 'call_summaries',
  columns: {
    id: id('call_summaries'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    branch: integer('branch'),
    turnIndex: integer('turn_index'),
    lineCount: integer('line_count'),
    text: longText('text'),
    usage: json('usage_info'),
    createdAt: timestamp('created_at'),
  },
  indices: [{ name: 'uq_call_summaries_place', columns: ['callId', 'branch', 'turnIndex'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_call_summaries_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_call_summaries_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
