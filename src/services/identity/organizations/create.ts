import type { EntityManager } from 'typeorm';
import { insertRow } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { memberships } from '../../../db/tables/memberships.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { appendAudit, type ServiceContext, onBehalfOf } from '../../kernel/index.ts';
import { insertKey } from '../api-keys/insert.ts';
import { insertWebhookSecret } from '../webhook-secrets/add.ts';

export interface NewOrganization {
  organizationId: number;
  uuid: string;
  userId: number;
  /** The first API key; `key` is its text, which is shown only once. */
  key: { id: number; key: string };
}

export interface OrganizationInput {
  name: string;
  /** The email of the first user. */
  email: string;
  keyName: string;
  userName?: string | null;
  /** Null or absent if the user cannot sign in. */
  passwordHash?: string | null;
}

type Making = {
  ctx: Omit<ServiceContext, 'organizationId' | 'secrets'>;
  secrets: SecretBox;
  input: OrganizationInput;
};

/** Creates an organization with its first user, who owns it, an API key and a webhook secret. */
export async function createOrganization(making: Making): Promise<NewOrganization> {
  return await inTransaction(making.ctx.db, (tx) => insertOrganization(tx, making));
}

/** Only the insertion, in the caller's transaction. */
export async function insertOrganization(
  tx: EntityManager,
  { ctx, secrets, input }: Making,
): Promise<NewOrganization> {
  const createdAt = ctx.clock.now();
  const organization = await insertRow(tx, organizations, {
    uuid: ctx.ids.uuid(),
    name: input.name,
    createdAt,
  });
  const own: ServiceContext = { ...ctx, secrets, organizationId: organization.id };
  const { email, userName = null, passwordHash = null } = input;
  const person = {
    uuid: ctx.ids.uuid(),
    email,
    name: userName,
    passwordHash,
  };
  const user = await insertRow(tx, users, {
    ...person,
    isSuperuser: false,
    onboardingState: null,
    createdAt,
  });
  await insertRow(tx, memberships, {
    organizationId: organization.id,
    userId: user.id,
    role: 'owner',
    createdAt,
    chosenAt: createdAt,
  });
  const change = onBehalfOf(tx, own);
  await insertWebhookSecret(change, { ctx: own, secrets });
  const { row, key } = await insertKey(change, { ctx: own, input: { name: input.keyName, userId: user.id } });
  await appendAudit(change, {
    action: 'organization.created',
    subjectKind: 'organization',
    subjectId: organization.id,
  });
  await appendAudit(change, { action: 'user.created', subjectKind: 'user', subjectId: user.id });
  return {
    organizationId: organization.id,
    uuid: organization.uuid,
    userId: user.id,
    key: { id: row.id, key },
  };
}
