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
 * Whose session a token is (contract 5.6). Throws UnauthenticatedError for one that is wrong, over or ended,
 * and for a user who is gone.
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
    // guarantee: session-ended-refused-every
    const session = await findRow(acrossOrganizations(db, 'the token says whose session it is'), sessions, {
      tokenHash: hashKey(token),
      userId,
      revokedAt: IsNull(),
      expiresAt: MoreThan(now),
    });
    if (session !== null)
      return {
        organizationId: session.organizationId,
        actor: { kind: 'user', userId, sessionId: session.id },
      };
    const isKnown = await existsRow(acrossOrganizations(db, 'the token says which user it is of'), users, {
      id: userId,
    });
    throw new UnauthenticatedError(isKnown ? 'Invalid or expired token' : 'User not found');
  } catch (error) {
    throw translateUnavailable(error);
  }
}
