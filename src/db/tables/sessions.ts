import { EntitySchema } from 'typeorm';
import { id, text, timestamp, nullable, reference, uuid, word } from './columns.ts';

/** A signed-in user. Only the hash of the token is stored. */
export interface SessionRow {
  id: number;
  uuid: string;
  organizationId: number;
  userId: number;
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
  /** Of the session's requests; exact to five minutes. */
  lastUsedAt: Date;
  /** Short name of the client that signed in; null if it did not name itself. */
  userAgent: string | null;
  revokedAt: Date | null;
}

export const sessions = new EntitySchema<SessionRow>({
  name: 'sessions',
  columns: {
    id: id('sessions'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    userId: reference('user_id'),
    tokenHash: word('token_hash', 64),
    createdAt: timestamp('created_at'),
    expiresAt: timestamp('expires_at'),
    lastUsedAt: timestamp('last_used_at'),
    userAgent: nullable(text('user_agent', 64)),
    revokedAt: nullable(timestamp('revoked_at')),
  },
  indices: [
    { name: 'uq_sessions_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_sessions_token_hash', columns: ['tokenHash'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_sessions_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_sessions_user', target: 'users', columnNames: ['userId'], referencedColumnNames: ['id'] },
  ],
});
