import { EntitySchema } from 'typeorm';
import type { OnboardingState } from '../../contract/users.ts';
import { flag, id, json, longText, timestamp, nullable, text, uuid, word } from './columns.ts';

/** A person. Memberships say in which organizations they act. */
export interface UserRow {
  id: number;
  uuid: string;
  email: string;
  name: string | null;
  passwordHash: string | null;
  isSuperuser: boolean;
  /** Null if the user has not changed anything. */
  onboardingState: OnboardingState | null;
  createdAt: Date;
}

export const users = new EntitySchema<UserRow>({
  name: 'users',
  columns: {
    id: id('users'),
    uuid: uuid(),
    email: text('email', 254),
    name: nullable(longText('name')),
    passwordHash: nullable(word('password_hash', 255)),
    isSuperuser: flag('is_superuser'),
    onboardingState: nullable(json('onboarding_state')),
    createdAt: timestamp('created_at'),
  },
  indices: [
    { name: 'uq_users_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_users_email', columns: ['email'], unique: true },
  ],
});
