import { EntitySchema } from 'typeorm';
import type { Role } from '../../contract/data/scopes.ts';
import { id, nullable, reference, text, timestamp, word } from './columns.ts';

/** A link by which a person of this address joins an organization, once. Only the hash of its token is stored. */
export interface InvitationRow {
  id: number;
  organizationId: number;
  /** In lower case. */
  email: string;
  role: Role;
  tokenHash: string;
  createdByUserId: number;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

export const invitations = new EntitySchema<InvitationRow>({
  name: 'invitations',
  columns: {
    id: id('invitations'),
    organizationId: reference('organization_id'),
    email: text('email', 254),
    role: word('role', 32),
    tokenHash: word('token_hash', 64),
    createdByUserId: reference('created_by_user_id'),
    createdAt: timestamp('created_at'),
    expiresAt: timestamp('expires_at'),
    acceptedAt: nullable(timestamp('accepted_at')),
    revokedAt: nullable(timestamp('revoked_at')),
  },
  indices: [{ name: 'uq_invitations_token_hash', columns: ['tokenHash'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_invitations_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_invitations_user',
      target: 'users',
      columnNames: ['createdByUserId'],
      referencedColumnNames: ['id'],
    },
  ],
});
