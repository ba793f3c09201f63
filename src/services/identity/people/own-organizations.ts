import { In } from 'typeorm';
import type { OwnOrganization } from '../../../contract/people.ts';
import type { SignedIn } from '../../../contract/users.ts';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { memberships } from '../../../db/tables/memberships.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { actingUserId, type ServiceContext, write } from '../../kernel/index.ts';
import type { SignInDeps } from '../users/deps.ts';
import { actingUser } from '../users/get.ts';
import { findMembership } from '../users/memberships.ts';
import { ownSession } from '../users/sessions.ts';
import { startSession } from '../users/start-session.ts';
import { endOwnSession } from './end-own-session.ts';

/**
 * The organizations of the calling user. Throws PreconditionError (400) for an API key, which is of one
 * organization and learns nothing of others.
 */
export async function listOwnOrganizations({ ctx }: { ctx: ServiceContext }): Promise<OwnOrganization[]> {
  ownSession(ctx);
  const rows = await findRows(
    acrossOrganizations(ctx.db, 'a person may belong to several organizations'),
    memberships,
    { userId: actingUserId(ctx) },
    { order: { id: 'ASC' } },
  );
  const found = await findRows(ctx.db, organizations, {
    id: In(rows.map(({ organizationId }) => organizationId)),
  });
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return rows.map(({ organizationId, role }) => ({
    organization_id: organizationId,
    organization_name: names.get(organizationId) ?? '',
    role,
    is_current: organizationId === ctx.organizationId,
  }));
}

/**
 * Starts a session in another organization of the calling user, and ends that of the request. Throws
 * PreconditionError (400) for an API key, and NotFoundError.
 */
export async function switchOrganization({
  ctx,
  userAgent,
  input: { organizationId },
  deps: { tokens },
}: {
  ctx: ServiceContext;
  userAgent: string | null;
  input: { organizationId: number };
  deps: Pick<SignInDeps, 'tokens'>;
}): Promise<SignedIn> {
  const user = await actingUser(ctx);
  return await write(ctx, async (tx) => {
    await endOwnSession(tx, ctx);
    if ((await findMembership(tx, { userId: user.id, organizationId })) === null)
      throw new NotFoundError('You belong to no such organization');
    return await startSession(tx, { ctx: { ...ctx, userAgent }, tokens, user, organizationId });
  });
}
