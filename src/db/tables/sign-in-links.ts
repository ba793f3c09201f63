import { EntitySchema } from 'typeorm';
import { primaryReference, reference, timestamp, word } from './columns.ts';

/** The link that signs a user in once. Only the hash of its token is stored. A new link replaces it. */
export interface SignInLinkRow {
  userId: number;
  organizationId: number;
  tokenHash: string;
  expiresAt: Date;
}

export const signInLinks = new EntitySchema<SignInLinkRow>({
  name: 'sign_in_links',
  columns: {
    userId: primaryReference('user_id', 'sign_in_links'),
    organizationId: reference('organization_id'),
    tokenHash: word('token_hash', 64),
    expiresAt: timestamp('expires_at'),
  },
  indices: [{ name: 'uq_sign_in_links_token_hash', columns: ['tokenHash'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_sign_in_links_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_sign_in_links_user',
      target: 'users',
      columnNames: ['userId'],
      referencedColumnNames: ['id'],
    },
  ],
});
