import { EntitySchema } from 'typeorm';
import type { Checkpoint } from '../../domain/call/checkpoint.ts';
import type { Line } from '../../domain/call/line.ts';
import type { ToolRound } from '../../domain/call/tool-round.ts';
import { id, integer, json, longText, timestamp, nullable, reference, uuid } from './columns.ts';

/** One exchange of a call. Written once per call, branch and index, when the turn is complete. */
export interface TurnRow {
  id: number;
  uuid: string;
  organizationId: number;
  callId: number;
  branch: number;
  turnIndex: number;
  userText: string | null;
  userAt: Date | null;
  replyText: string | null;
  replyAt: Date | null;
  lines: Line[];
  /** Tools that this turn used; null without any. */
  toolRounds: ToolRound[] | null;
  events: Record<string, unknown>[];
  usage: Record<string, unknown>;
  checkpoint: Checkpoint;
  createdAt: Date;
}

export const turns = new EntitySchema<TurnRow>({
  name: 'turns',
  columns: {
    id: id('turns'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    branch: integer('branch'),
    turnIndex: integer('turn_index'),
    userText: nullable(longText('user_text')),
    userAt: nullable(timestamp('user_at')),
    replyText: nullable(longText('reply_text')),
    replyAt: nullable(timestamp('reply_at')),
    lines: json('lines'),
    toolRounds: nullable(json('tool_rounds')),
    events: json('events'),
    usage: json('usage_info'),
    checkpoint: json('checkpoint'),
    createdAt: timestamp('created_at'),
  },
  indices: [
    { name: 'uq_turns_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_turns_place', columns: ['callId', 'branch', 'turnIndex'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_turns_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_turns_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
