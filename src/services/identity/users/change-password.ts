import type { EntityManager } from 'typeorm';
import type { ChangePasswordRequest, EndedSessions } from '../../../contract/users.ts';
import { getRow, updateRows } from '../../../db/rows.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import type { SignInDeps } from './deps.ts';
import { actingUser } from './get.ts';
import { discardLink } from './links.ts';
import { endSessions, ownSession } from './sessions.ts';

/**
 * Changes the password of the calling user and ends their other sessions (contract 13.2). Throws as
 * `requirePassword`.
 */
export async function changePassword({
  ctx,
  network,
  input,
  deps,
}: {
  ctx: ServiceContext;
  network: string;
  input: ChangePasswordRequest;
  deps: Pick<SignInDeps, 'limits' | 'passwords'>;
}): Promise<EndedSessions> {
  const sessionId = ownSession(ctx);
  const checking = { ctx, network, password: input.current_password, deps };
  const { id, passwordHash: former } = await requirePassword(checking);
  const passwordHash = await deps.passwords.hash(input.new_password);
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

/**
 * The calling user, who has sent their password. A wrong one counts like one at sign-in. Throws PreconditionError
 * (400) for it and for an API key, and LimitError.
 */
export async function requirePassword({
  ctx,
  network,
  password,
  deps: { limits, passwords },
}: {
  ctx: ServiceContext;
  network: string;
  password: string;
  deps: Pick<SignInDeps, 'limits' | 'passwords'>;
}): Promise<UserRow> {
  ownSession(ctx);
  const user = await actingUser(ctx);
  const { email, passwordHash } = user;
  // guarantee: password-change-counts-attempts
  await countAttempt(limits, { email, network });
  if (!(await passwords.matches(password, passwordHash))) throw wrongPassword();
  await forgiveAttempt(limits, { email, network });
  return user;
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
