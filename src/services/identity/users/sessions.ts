import { IsNull, MoreThan, Not, type EntityManager } from 'typeorm';
import type { EndedSessions, Session, SignedOut } from '../../../contract/users.ts';
import { acrossOrganizations, findRows, updateRows } from '../../../db/rows.ts';
import { sessions, type SessionRow } from '../../../db/tables/sessions.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, actingUserId, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';

/** A session of a user, under the conditions by which every process accepts it. */
export const liveSession = (now: Date, sessionIdleMs: number) => ({
  // guarantee: ended-session-refused-everywhere
  revokedAt: IsNull(),
  expiresAt: MoreThan(now),
  // guarantee: idle-session-expires
  lastUsedAt: MoreThan(new Date(now.getTime() - sessionIdleMs)),
});

/** The session of the request. Throws PreconditionError (400) for a request with an API key. */
export function ownSession({ actor }: Pick<ServiceContext, 'actor'>): number {
  const sessionId = actor.kind === 'user' ? actor.sessionId : undefined;
  if (sessionId === undefined)
    throw new PreconditionError('An API key has no session; send the token of a sign-in instead', {
      status: 400,
    });
  return sessionId;
}

/** The live sessions of the calling user, newest first (contract 13.2). */
export async function listSessions({
  ctx,
  deps: { sessionIdleMs },
}: {
  ctx: ServiceContext;
  deps: { sessionIdleMs: number };
}): Promise<Session[]> {
  const own = ownSession(ctx);
  const rows = await findRows(
    acrossOrganizations(ctx.db, everywhere),
    sessions,
    {
      userId: actingUserId(ctx),
      ...liveSession(ctx.clock.now(), sessionIdleMs),
    },
    { order: { id: 'DESC' } },
  );
  return rows.map((row) => toSession(row, own));
}

function toSession({ id, createdAt, lastUsedAt, expiresAt, userAgent }: SessionRow, own: number): Session {
  return {
    id,
    created_at: wireTimestamp(createdAt),
    last_used_at: wireTimestamp(lastUsedAt),
    expires_at: wireTimestamp(expiresAt),
    user_agent: userAgent,
    current: id === own,
  };
}

/**
 * Ends a session of the calling user on all processes. Throws NotFoundError for an unknown or ended session
 * and one of another user.
 */
export async function endSession({
  ctx,
  input: { sessionId },
}: {
  ctx: ServiceContext;
  input: { sessionId: number };
}): Promise<SignedOut> {
  ownSession(ctx);
  return await write(ctx, async (tx) => {
    const ended = await endSessions(tx, ctx, { userId: actingUserId(ctx), only: sessionId });
    if (ended === 0) throw new NotFoundError('Session not found');
    await appendAudit(tx, { action: 'session.ended', subjectKind: 'session', subjectId: sessionId });
    return { success: true };
  });
}

/** Ends all sessions of the calling user except that of the request. */
export async function endOtherSessions({ ctx }: { ctx: ServiceContext }): Promise<EndedSessions> {
  const except = ownSession(ctx);
  const userId = actingUserId(ctx);
  return await write(ctx, async (tx) => {
    const ended = await endSessions(tx, ctx, { userId, except });
    await appendAudit(tx, {
      action: 'user.sessions_ended',
      subjectKind: 'user',
      subjectId: userId,
      changes: { endedSessions: ended },
    });
    return { success: true, ended };
  });
}

/** Why statements on sessions name none: an account is one, in how many organizations it may be. */
const everywhere = 'the sessions of a user may be of several organizations';

interface Ending {
  userId: number;
  only?: number;
  except?: number;
  /** Absent for the sessions in every organization. */
  organizationId?: number;
}

/** Ends sessions of a user: one, all but one, or all. Answers how many had not ended. */
export async function endSessions(
  tx: EntityManager,
  { clock }: Pick<ServiceContext, 'clock'>,
  { userId, only, except, organizationId }: Ending,
): Promise<number> {
  return await updateRows(acrossOrganizations(tx, everywhere), sessions, {
    where: {
      userId,
      revokedAt: IsNull(),
      ...(organizationId === undefined ? {} : { organizationId }),
      ...(only === undefined ? {} : { id: only }),
      ...(except === undefined ? {} : { id: Not(except) }),
    },
    change: { revokedAt: clock.now() },
  });
}
