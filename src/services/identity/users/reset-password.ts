import type { DataSource } from 'typeorm';
import { acrossOrganizations, findRow } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../providers/passwords/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import { appendAudit, write } from '../../kernel/index.ts';
import { setPassword } from './change-password.ts';
import { endSessions } from './sessions.ts';

export interface PasswordReset {
  userId: number;
  organizationId: number;
  /** How many sessions have ended. */
  endedSessions: number;
}

/**
 * Gives a user another password on behalf of the operator and ends all sessions of the user. Throws
 * NotFoundError.
 */
export async function resetPassword({
  deps: { db, clock, ids, passwords },
  input: { email, password },
}: {
  deps: { db: DataSource; clock: Clock; ids: Ids; passwords: PasswordHasher };
  input: { email: string; password: string };
}): Promise<PasswordReset> {
  const user = await findRow(acrossOrganizations(db, 'the email is unique across the whole service'), users, {
    email: email.toLowerCase(),
  });
  if (user === null) throw new NotFoundError('No user has this email');
  const { id, organizationId } = user;
  const passwordHash = await passwords.hash(password);
  const ctx = { db, clock, ids, organizationId, actor: { kind: 'system', name: 'operator' } } as const;
  return await write(ctx, async (tx) => {
    await setPassword(tx, { id, organizationId, passwordHash });
    // guarantee: password-reset-ends-all-sessions
    const endedSessions = await endSessions(tx, ctx, { userId: id });
    await appendAudit(tx, {
      action: 'user.password_reset',
      subjectKind: 'user',
      subjectId: id,
      changes: { endedSessions },
    });
    return { userId: id, organizationId, endedSessions };
  });
}
