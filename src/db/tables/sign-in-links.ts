import { EntitySchema } from 'typeorm';
import { primaryReference, reference, timestamp, word } from './columns.ts';

/**
 * `sign_in`: signs the user in as they are. `new_password`: lets them choose a new password, and then signs
 * them in.
 */
export type SignInLinkKind = 'sign_in' | 'new_password';

/** The link that signs a user in once. Only the hash of its token is stored. A new link replaces it. */
export interface SignInLinkRow {
  userId: number;
  organizationId: number;
  kind: SignInLinkKind;
  tokenHash: string;
  expiresAt: Date;
}

export const signInLinks = new EntitySchema<SignInLinkRow>({
  name: 'sign_in_links',
  columns: {
    userId: primaryReference('user_id', 'sign_in_links'),
    organizationId: reference('organization_id'),
    kind: word('kind', 16),
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
