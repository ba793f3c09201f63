import { EntitySchema } from 'typeorm';
import { id, json, timestamp, reference } from './columns.ts';

/**
 * Usage that was paid for but produced nothing: tokens of failed turns and of broken or unusable answers, and
 * synthesized characters that were not heard.
 */
export interface WastedUsageRow {
  id: number;
  organizationId: number;
  callId: number;
  /** `{ llm, tts }`, as in turns. */
  usage: Record<string, unknown>;
  createdAt: Date;
}

export const wastedUsage = new EntitySchema<WastedUsageRow>({
  name: 'wasted_usage',
  columns: {
    id: id('wasted_usage'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    usage: json('usage_info'),
    createdAt: timestamp('created_at'),
  },
  foreignKeys: [
    {
      name: 'fk_wasted_usage_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_wasted_usage_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
