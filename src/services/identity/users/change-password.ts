import type { EntityManager } from 'typeorm';
import type { ChangePasswordRequest, EndedSessions } from '../../../contract/users.ts';
import { getRow, updateRows } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import type { SignInDeps } from './deps.ts';
import { actingUser } from './get.ts';
import { discardLink } from './links.ts';
import { endSessions, ownSession } from './sessions.ts';

/**
 * Changes the password of the calling user and ends their other sessions (contract 13.2). A wrong current
 * password counts like one at sign-in. Throws PreconditionError (400) for it and for an API key, and
 * LimitError.
 */
export async function changePassword({
  ctx,
  network,
  input,
  deps: { limits, passwords },
}: {
  ctx: ServiceContext;
  network: string;
  input: ChangePasswordRequest;
  deps: Pick<SignInDeps, 'limits' | 'passwords'>;
}): Promise<EndedSessions> {
  const sessionId = ownSession(ctx);
  const { id, email, passwordHash: former } = await actingUser(ctx);
  // guarantee: password-change-counts-attempts
  await countAttempt(limits, { email, network });
  const isMatch = await passwords.matches(input.current_password, former);
  if (!isMatch) throw wrongPassword();
  await forgiveAttempt(limits, { email, network });
  const passwordHash = await passwords.hash(input.new_password);
  return await write(ctx, async (tx) => {
    const user = await getRow(tx, users, { id }, { isLocked: true });
    if (user.passwordHash !== former) throw wrongPassword(); // changed in the meantime
    await setPassword(tx, { id, passwordHash });
    // guarantee: password-change-ends-other-sessions
    const ended = await endSessions(tx, ctx, { userId: id, except: sessionId });
    await appendAudit(tx, {
      action: 'user.password_changed',
      subjectKind: 'user',
      subjectId: id,
      changes: { endedSessions: ended },
    });
    return { success: true, ended };
  });
}

/** Sets the password, and voids a link that would set another one. */
export async function setPassword(
  tx: EntityManager,
  { id, passwordHash }: { id: number; passwordHash: string },
): Promise<void> {
  await updateRows(tx, users, { where: { id }, change: { passwordHash } });
  await discardLink(tx, id);
}

const wrongPassword = () => new PreconditionError('The current password is wrong', { status: 400 });
