import type { LoginRequest, SignedIn } from '../../../contract/users.ts';
import { acrossOrganizations, findRow, getRow } from '../../../db/rows.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { UnauthenticatedError } from '../../../domain/errors.ts';
import { onBehalfOf } from '../../kernel/index.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import { countingCode, demandCode } from './codes.ts';
import type { SignInDeps, VisitorContext } from './deps.ts';
import { chosenOrganization } from './memberships.ts';
import { startSession } from './start-session.ts';

/**
 * Starts a session for email and password (contract 13.2). Counts an attempt before it checks the password,
 * for unknown accounts, too. A correct password does not count. Throws UnauthenticatedError, the same one for
 * an unknown email, LimitError, and as `admitUser`.
 */
export async function logIn({
  ctx,
  input,
  deps,
}: {
  ctx: VisitorContext;
  input: LoginRequest;
  deps: SignInDeps;
}): Promise<SignedIn> {
  const { limits, passwords } = deps;
  const email = input.email.toLowerCase();
  await countAttempt(limits, { email, network: ctx.network });
  const user = await findByEmail(ctx, email);
  // guarantee: sign-in-hides-registered-emails
  const isMatch = await passwords.matches(input.password, user?.passwordHash ?? null);
  if (user === null || !isMatch) throw wrongPassword();
  return await admitUser({ ctx, deps, user, code: input.code });
}

/** The user of an email in lower case. */
export async function findByEmail({ db }: VisitorContext, email: string): Promise<UserRow | null> {
  return await findRow(acrossOrganizations(db, 'the email is unique across the whole service'), users, {
    email,
  });
}

/**
 * Starts a session of a user whose password was correct. Throws UnauthenticatedError if the password has
 * changed since: sessions that began with the former one have ended. Throws ForbiddenError if the user belongs
 * to no organization any more, and as `countingCode` and `demandCode`.
 */
export async function admitUser({
  ctx,
  deps: { limits, tokens },
  user,
  code,
}: {
  ctx: VisitorContext;
  deps: SignInDeps;
  user: UserRow;
  code?: string | undefined;
}): Promise<SignedIn> {
  const { id, email, passwordHash } = user;
  await forgiveAttempt(limits, { email, network: ctx.network });
  const admit = () =>
    inTransaction(ctx.db, async (tx) => {
      const current = await getRow(tx, users, { id }, { isLocked: true });
      // guarantee: former-password-starts-no-session
      if (current.passwordHash !== passwordHash) throw wrongPassword();
      const organizationId = await chosenOrganization(tx, id);
      const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId: id } });
      await demandCode(change, ctx, { userId: id, code });
      return await startSession(tx, { ctx, tokens, user, organizationId });
    });
  return await countingCode(limits, { userId: id, code }, admit);
}

const wrongPassword = () => new UnauthenticatedError('Invalid email or password');
