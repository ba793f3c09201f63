import { EntitySchema } from 'typeorm';
import { id, integer, longText, timestamp, nullable, reference, uuid, word } from './columns.ts';

/**
 * One tool request during a call, or the destination of a transfer that a supervisor asks for. The row is written before the request is sent, so that no request is sent
 * twice.
 */
export interface ToolRunRow {
  id: number;
  organizationId: number;
  callId: number;
  branch: number;
  turnIndex: number;
  /** The position of the tool call in its turn. */
  callIndex: number;
  /** Hash of tool and arguments: a retried turn with the same ones gets the stored result. */
  requestSha256: string;
  toolUuid: string;
  state: 'started' | 'finished';
  /** JSON text for the model; null until it is known. */
  result: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

export const toolRuns = new EntitySchema<ToolRunRow>({
  name: 'tool_runs',
  columns: {
    id: id('tool_runs'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    branch: integer('branch'),
    turnIndex: integer('turn_index'),
    callIndex: integer('call_index'),
    requestSha256: word('request_sha256', 64),
    toolUuid: uuid('tool_uuid'),
    state: word('state', 16),
    result: nullable(longText('result')),
    startedAt: timestamp('started_at'),
    finishedAt: nullable(timestamp('finished_at')),
  },
  indices: [
    {
      name: 'uq_tool_runs_place',
      columns: ['callId', 'branch', 'turnIndex', 'callIndex', 'requestSha256'],
      unique: true,
    },
  ],
  foreignKeys: [
    {
      name: 'fk_tool_runs_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_tool_runs_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
