import { EntitySchema } from 'typeorm';
import { id, integer, json, longText, timestamp, reference } from '../columns.ts';

/**
 * What was said up to a turn, in short: stands for the first lines of a long call in the prompts of later
 * turns, and nowhere else.
 */
export interface CallSummaryRow {
  id: number;
  organizationId: number;
  callId: number;
  /** The turn it was made after; it counts as long as that turn does. */
  branch: number;
  turnIndex: number;
  /** Lines from the beginning of the call that it stands for. */
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
