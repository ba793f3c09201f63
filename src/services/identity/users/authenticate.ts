import { IsNull, LessThan, type DataSource } from 'typeorm';
import { acrossOrganizations, existsRow, findRow, updateRows, type Where } from '../../../db/rows.ts';
import { sessions, type SessionRow } from '../../../db/tables/sessions.ts';
import { users } from '../../../db/tables/users.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { UnauthenticatedError } from '../../../domain/errors.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Actor } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import { findMembership } from './memberships.ts';
import { liveSession } from './sessions.ts';

/** The last use is stored at most this often, not with every request. */
const lastUsePrecisionMs = 300_000;

/**
 * The caller of a session token (contract 5.6), with the present role. Throws UnauthenticatedError if the token
 * is invalid or expired, the session has ended or was idle for too long, the user no longer exists, or is no
 * member of the session's organization. Does not wait for the update of the last use.
 */
export async function authenticateSession({
  tokens,
  token,
  ...finding
}: Omit<Finding, 'where'> & { tokens: SessionTokens; token: string }): Promise<SessionCaller> {
  const { db, clock } = finding;
  const signed = await tokens.read(token, clock.now());
  if (signed === null) throw new UnauthenticatedError('Invalid or expired token');
  const { userId } = signed;
  try {
    const caller = await callerOfSession({ ...finding, where: { tokenHash: hashKey(token), userId } });
    if (caller !== null) return caller;
    const isKnown = await existsRow(
      acrossOrganizations(db, "the token's user id is unique across the whole service"),
      users,
      {
        id: userId,
      },
    );
    throw new UnauthenticatedError(isKnown ? 'Invalid or expired token' : 'User not found');
  } catch (error) {
    throw translateUnavailable(error);
  }
}

interface SessionCaller {
  organizationId: number;
  actor: Actor;
}

interface Finding {
  db: DataSource;
  clock: Clock;
  log: Logger;
  sessionIdleMs: number;
  where: Where<SessionRow>;
}

/** The caller of a session whose token is not presented; null under the conditions above. */
export async function callerOfSession({
  db,
  clock,
  log,
  sessionIdleMs,
  where,
}: Finding): Promise<SessionCaller | null> {
  const now = clock.now();
  const session = await findRow(
    acrossOrganizations(db, "the session's row names the organization"),
    sessions,
    { ...where, ...liveSession(now, sessionIdleMs) },
  );
  // guarantee: removed-member-refused-at-once
  const membership = session === null ? null : await findMembership(db, session);
  if (session === null || membership === null) return null;
  noteUse({ db, session, now }).catch((error: unknown) =>
    log.warn({ err: error }, 'The last use of a session could not be stored'),
  );
  const { id: sessionId, userId, organizationId } = session;
  return { organizationId, actor: { kind: 'user', userId, sessionId, role: membership.role } };
}

async function noteUse({
  db,
  session: { id, organizationId, lastUsedAt },
  now,
}: {
  db: DataSource;
  session: SessionRow;
  now: Date;
}): Promise<void> {
  const before = new Date(now.getTime() - lastUsePrecisionMs);
  if (lastUsedAt > before) return;
  await updateRows(db, sessions, {
    where: { id, organizationId, revokedAt: IsNull(), lastUsedAt: LessThan(now) },
    change: { lastUsedAt: now },
  });
}
