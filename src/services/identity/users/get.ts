import { acrossOrganizations, getRow } from '../../../db/rows.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import type { AuthUser, User } from '../../../contract/users.ts';
import { actingUserId, grantedTo, type ServiceContext } from '../../kernel/index.ts';
import { toUser } from './mapper.ts';

/** The calling user (contract 13.2); for an API key, the user that it acts for. */
export async function getMe({ ctx }: { ctx: ServiceContext }): Promise<User> {
  const { organizationId, actor } = ctx;
  const role = actor.kind === 'user' ? (actor.role ?? null) : null;
  return toUser(await actingUser(ctx), { organizationId, role, granted: grantedTo(actor) });
}

export async function getAuthUser({ ctx }: { ctx: ServiceContext }): Promise<AuthUser> {
  const { id, isSuperuser } = await actingUser(ctx);
  return { id, is_superuser: isSuperuser };
}

export async function actingUser(ctx: ServiceContext): Promise<UserRow> {
  return await getRow(acrossOrganizations(ctx.db, 'a person may belong to several organizations'), users, {
    id: actingUserId(ctx),
  });
}
