import type { LoginRequest, SignedIn } from '../../../contract/users.ts';
import { acrossOrganizations, findRow } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { UnauthenticatedError } from '../../../domain/errors.ts';
import type { SignInDeps, VisitorContext } from './deps.ts';
import { startSession } from './start-session.ts';

/**
 * Starts a session for email and password (contract 13.2). Counts an attempt before it checks the password,
 * for unknown accounts, too, so that concurrent attempts get no further than sequential ones. A correct
 * password does not count. Throws UnauthenticatedError, the same one for an unknown email, and LimitError.
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
  const { network, ...own } = ctx;
  const { limits, passwords, tokens } = deps;
  const email = input.email.toLowerCase();
  await limits.network.count(network);
  // guarantee: password-limit-is-per-network
  const fromHere = [email, network].join(' from ');
  // guarantee: ten-wrong-passwords-block-network
  await limits.accountFromNetwork.count(fromHere);
  await limits.account.count(email);
  const user = await findRow(
    acrossOrganizations(ctx.db, 'the email is unique across the whole service'),
    users,
    { email },
  );
  // guarantee: sign-in-hides-registered-emails
  const isMatch = await passwords.matches(input.password, user?.passwordHash ?? null);
  if (user === null || !isMatch) throw new UnauthenticatedError('Invalid email or password');
  await limits.accountFromNetwork.forget(fromHere);
  await limits.account.forget(email);
  await limits.network.forgive(network);
  return await inTransaction(ctx.db, (tx) => startSession(tx, { ctx: own, tokens, user }));
}
