import type { DataSource } from 'typeorm';
import type { Role } from '../../src/contract/data/scopes.ts';
import { memberships } from '../../src/db/tables/memberships.ts';
import { users, type UserRow } from '../../src/db/tables/users.ts';
import { at, type ApiUnderTest } from './api-on-services.ts';

/** The first member of an organization. */
export async function ownerOf(db: DataSource, organizationId: number): Promise<UserRow> {
  const first = await db
    .getRepository(memberships)
    .findOneOrFail({ where: { organizationId }, order: { id: 'ASC' } });
  return await db.getRepository(users).findOneByOrFail({ id: first.userId });
}

export const testPassword = 'correct horse battery';

/** Who joined by an invitation, signed in. */
export interface Joined {
  userId: number;
  email: string;
  headers: { authorization: string };
}

/** Invites a person with the headers of an owner; answers the token of the link. */
export async function invite(
  api: ApiUnderTest,
  owner: Record<string, string>,
  { email, role }: { email: string; role: Role },
): Promise<string> {
  const { body } = await api.send(owner, 'POST', '/organizations/invitations', { email, role });
  const [, token] = /#invitation=(\S+)$/.exec(String(at(body, 'link'))) ?? [];
  if (token === undefined) throw new Error(`no invitation: ${JSON.stringify(body)}`);
  return token;
}

/** A person of the role who has joined the owner's organization. */
export async function joinAs(
  api: ApiUnderTest,
  owner: Record<string, string>,
  { email, role }: { email: string; role: Role },
): Promise<Joined> {
  const token = await invite(api, owner, { email, role });
  const { body } = await api.ask(null, 'POST', '/auth/invitation/accept', { token, password: testPassword });
  return {
    userId: Number(at(body, 'user', 'id')),
    email,
    headers: { authorization: `Bearer ${String(at(body, 'token'))}` },
  };
}
