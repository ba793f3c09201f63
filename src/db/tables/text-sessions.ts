import { EntitySchema } from 'typeorm';
import type { Checkpoint } from '../../domain/call/checkpoint.ts';
import { integer, json, timestamp, nullable, primaryReference, reference, uuid, word } from './columns.ts';

export type TextSessionState = 'idle' | 'pending_assistant_turn' | 'completed' | 'error' | 'rewound';

/**
 * Data that only text calls have: the revision that clients compare, the branch, and the position in the
 * conversation.
 */
export interface TextSessionRow {
  callId: number;
  organizationId: number;
  /** The API key that started the session; null if a user or the service did. */
  createdByApiKeyId: number | null;
  revision: number;
  branch: number;
  status: TextSessionState;
  cursorTurnUuid: string | null;
  checkpoint: Checkpoint | null;
  updatedAt: Date;
}

export const textSessions = new EntitySchema<TextSessionRow>({
  name: 'text_sessions',
  columns: {
    callId: primaryReference('call_id', 'text_sessions'),
    organizationId: reference('organization_id'),
    createdByApiKeyId: nullable(reference('created_by_api_key_id')),
    revision: integer('revision'),
    branch: integer('branch'),
    status: word('status', 32),
    cursorTurnUuid: nullable(uuid('cursor_turn_uuid')),
    checkpoint: nullable(json('checkpoint')),
    updatedAt: timestamp('updated_at'),
  },
  foreignKeys: [
    {
      name: 'fk_text_sessions_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_text_sessions_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
