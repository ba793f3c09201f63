import { IsNull, MoreThan, type DataSource } from 'typeorm';
import { acrossOrganizations, existsRow, findRow } from '../../../db/rows.ts';
import { sessions } from '../../../db/tables/sessions.ts';
import { users } from '../../../db/tables/users.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { UnauthenticatedError } from '../../../domain/errors.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Actor } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';

/**
 * The caller of a session token (contract 5.6). Throws UnauthenticatedError if the token is invalid or
 * expired, the session has ended, or the user no longer exists.
 */
export async function authenticateSession({
  db,
  clock,
  tokens,
  token,
}: {
  db: DataSource;
  clock: Clock;
  tokens: SessionTokens;
  token: string;
}): Promise<{ organizationId: number; actor: Actor }> {
  const now = clock.now();
  const signed = await tokens.read(token, now);
  if (signed === null) throw new UnauthenticatedError('Invalid or expired token');
  const { userId } = signed;
  try {
    // guarantee: ended-session-refused-everywhere
    const session = await findRow(
      acrossOrganizations(db, "the session's row names the organization"),
      sessions,
      {
        tokenHash: hashKey(token),
        userId,
        revokedAt: IsNull(),
        expiresAt: MoreThan(now),
      },
    );
    if (session !== null)
      return {
        organizationId: session.organizationId,
        actor: { kind: 'user', userId, sessionId: session.id },
      };
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
