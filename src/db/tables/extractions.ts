import { EntitySchema } from 'typeorm';
import type { ExtractionRequest } from '../../domain/call/turn.ts';
import type { ExtractedValues } from '../../domain/extraction/answer.ts';
import { id, integer, json, reference, text, timestamp, word } from './columns.ts';

/** The values that an extraction found, stored as it ends. The record of the call repeats them at its end. */
export interface ExtractionRow extends ExtractionRequest {
  id: number;
  organizationId: number;
  callId: number;
  values: ExtractedValues;
  foundAt: Date;
}

export const extractions = new EntitySchema<ExtractionRow>({
  name: 'extractions',
  columns: {
    id: id('extractions'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    branch: integer('branch'),
    visitIndex: integer('visit_index'),
    nodeId: text('node_id', 255),
    point: word('point', 16),
    throughTurnIndex: integer('through_turn_index'),
    throughLine: integer('through_line'),
    values: json('found_values'),
    foundAt: timestamp('found_at'),
  },
  indices: [
    {
      name: 'uq_extractions_place',
      columns: ['callId', 'branch', 'visitIndex', 'point'],
      unique: true,
    },
  ],
  foreignKeys: [
    {
      name: 'fk_extractions_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_extractions_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
