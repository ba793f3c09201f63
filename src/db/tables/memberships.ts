import { EntitySchema } from 'typeorm';
import type { Role } from '../../contract/data/scopes.ts';
import { id, reference, timestamp, word } from './columns.ts';

/** The role of a user in an organization. Without a membership, a session for that organization is refused. */
export interface MembershipRow {
  id: number;
  organizationId: number;
  userId: number;
  role: Role;
  createdAt: Date;
  /** When the person last signed in to this organization. The next sign-in begins in the latest one. */
  chosenAt: Date;
}

export const memberships = new EntitySchema<MembershipRow>({
  name: 'memberships',
  columns: {
    id: id('memberships'),
    organizationId: reference('organization_id'),
    userId: reference('user_id'),
    role: word('role', 32),
    createdAt: timestamp('created_at'),
    chosenAt: timestamp('chosen_at'),
  },
  indices: [
    { name: 'uq_memberships_person', columns: ['organizationId', 'userId'], unique: true },
    { name: 'ix_memberships_user', columns: ['userId'] },
  ],
  foreignKeys: [
    {
      name: 'fk_memberships_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_memberships_user', target: 'users', columnNames: ['userId'], referencedColumnNames: ['id'] },
  ],
});
