import type { EntityManager } from 'typeorm';
import type { SignedIn } from '../../../contract/users.ts';
import { insertRow, updateRows } from '../../../db/rows.ts';
import { memberships } from '../../../db/tables/memberships.ts';
import { sessions } from '../../../db/tables/sessions.ts';
import type { UserRow } from '../../../db/tables/users.ts';
import { scopesOfRoles } from '../../../domain/people/roles.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import { appendAudit, onBehalfOf } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import type { VisitorContext } from './deps.ts';
import { toUser } from './mapper.ts';
import { findMembership, noOrganization } from './memberships.ts';

/** Contract 5.6: 720 hours. */
const lifetimeMs = 720 * 3_600_000;

interface Starting {
  ctx: Omit<VisitorContext, 'network'>;
  tokens: SessionTokens;
  user: UserRow;
  /** The session is of this one alone. */
  organizationId: number;
}

/**
 * Starts a session of an authenticated user in an organization. Stores only the hash of its token. Throws
 * ForbiddenError if the user does not belong to the organization.
 */
export async function startSession(
  tx: EntityManager,
  { ctx: visitor, tokens, user, organizationId }: Starting,
): Promise<SignedIn> {
  const { userAgent, ...ctx } = visitor;
  const membership = await findMembership(tx, { userId: user.id, organizationId });
  if (membership === null) throw noOrganization();
  const { id: membershipId, role } = membership;
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  const uuid = ctx.ids.uuid();
  const token = await tokens.issue({ id: uuid, userId: user.id, from: createdAt, until: expiresAt });
  const { id } = await insertRow(tx, sessions, {
    uuid,
    organizationId,
    userId: user.id,
    tokenHash: hashKey(token),
    createdAt,
    expiresAt,
    lastUsedAt: createdAt,
    userAgent,
    revokedAt: null,
  });
  await updateRows(tx, memberships, {
    where: { id: membershipId, organizationId },
    change: { chosenAt: createdAt },
  });
  const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId: user.id } });
  await appendAudit(change, { action: 'session.started', subjectKind: 'session', subjectId: id });
  return { token, user: toUser(user, { organizationId, role, granted: scopesOfRoles[role] }) };
}
