import type { EntityManager } from 'typeorm';
import type { SignedIn } from '../../../contract/users.ts';
import { insertRow } from '../../../db/rows.ts';
import { sessions } from '../../../db/tables/sessions.ts';
import type { UserRow } from '../../../db/tables/users.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import { appendAudit, onBehalfOf } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import type { VisitorContext } from './deps.ts';
import { toUser } from './mapper.ts';

/** Contract 5.6: 720 hours. */
const lifetimeMs = 720 * 3_600_000;

/** Starts a session of an authenticated user. Stores only the hash of its token. */
export async function startSession(
  tx: EntityManager,
  { ctx: visitor, tokens, user }: { ctx: VisitorContext; tokens: SessionTokens; user: UserRow },
): Promise<SignedIn> {
  const { network: _, userAgent, ...ctx } = visitor;
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  const uuid = ctx.ids.uuid();
  const token = await tokens.issue({ id: uuid, userId: user.id, from: createdAt, until: expiresAt });
  const { organizationId } = user;
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
  const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId: user.id } });
  await appendAudit(change, { action: 'session.started', subjectKind: 'session', subjectId: id });
  return { token, user: toUser(user) };
}
