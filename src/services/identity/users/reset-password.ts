import { IsNull, Not, type DataSource, type EntityManager } from 'typeorm';
import { acrossOrganizations, deleteRows, findRow } from '../../../db/rows.ts';
import { secondFactors } from '../../../db/tables/second-factors.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../providers/passwords/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import { appendAudit, onBehalfOf } from '../../kernel/index.ts';
import { setPassword } from './change-password.ts';
import { organizationsOf } from './memberships.ts';
import { endSessions } from './sessions.ts';

export interface PasswordReset {
  userId: number;
  /** The organizations of the user, in whose audit logs the reset is. */
  organizationIds: number[];
  /** How many sessions have ended. */
  endedSessions: number;
  /** Whether codes were on, and are off now. Absent if that was not asked for. */
  codesTurnedOff?: boolean;
}

/**
 * Gives a user another password on behalf of the operator and ends all sessions of the user. Codes stay on unless
 * `turnsOffCodes`. Throws NotFoundError.
 */
export async function resetPassword({
  deps: { db, clock, ids, passwords },
  input: { email, password, turnsOffCodes = false },
}: {
  deps: { db: DataSource; clock: Clock; ids: Ids; passwords: PasswordHasher };
  input: { email: string; password: string; turnsOffCodes?: boolean };
}): Promise<PasswordReset> {
  const user = await findRow(acrossOrganizations(db, 'the email is unique across the whole service'), users, {
    email: email.toLowerCase(),
  });
  if (user === null) throw new NotFoundError('No user has this email');
  const { id } = user;
  const passwordHash = await passwords.hash(password);
  const operator = { clock, ids, actor: { kind: 'system', name: 'operator' } } as const;
  return await inTransaction(db, async (tx) => {
    await setPassword(tx, { id, passwordHash });
    // guarantee: password-reset-ends-all-sessions
    const endedSessions = await endSessions(tx, operator, { userId: id });
    const done = { endedSessions, ...(turnsOffCodes ? { codesTurnedOff: await turnOffCodes(tx, id) } : {}) };
    const organizationIds = await organizationsOf(tx, id);
    for (const organizationId of organizationIds)
      await appendAudit(onBehalfOf(tx, { ...operator, organizationId }), {
        action: 'user.password_reset',
        subjectKind: 'user',
        subjectId: id,
        changes: done,
      });
    return { userId: id, organizationIds, ...done };
  });
}

/** Turns codes off without one. Answers whether they were on. */
async function turnOffCodes(tx: EntityManager, userId: number): Promise<boolean> {
  return (await deleteRows(tx, secondFactors, { userId, onSince: Not(IsNull()) })) === 1;
}
