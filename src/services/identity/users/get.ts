import { getRow } from '../../../db/rows.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import type { AuthUser, User } from '../../../contract/users.ts';
import { actingUserId, type ServiceContext } from '../../kernel/index.ts';
import { toUser } from './mapper.ts';

/** The calling user (contract 13.2); for an API key, the user that it acts for. */
export async function getMe({ ctx }: { ctx: ServiceContext }): Promise<User> {
  return toUser(await actingUser(ctx));
}

export async function getAuthUser({ ctx }: { ctx: ServiceContext }): Promise<AuthUser> {
  const { id, isSuperuser } = await actingUser(ctx);
  return { id, is_superuser: isSuperuser };
}

export async function actingUser(ctx: ServiceContext): Promise<UserRow> {
  return await getRow(ctx.db, users, { id: actingUserId(ctx), organizationId: ctx.organizationId });
}
