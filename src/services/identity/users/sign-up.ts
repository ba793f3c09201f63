import type { SignedIn, SignupRequest } from '../../../contract/users.ts';
import { getRow } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { ConflictError } from '../../../domain/errors.ts';
import { insertOrganization } from '../organizations/create.ts';
import type { SignInDeps, VisitorContext } from './deps.ts';
import { startSession } from './start-session.ts';

/**
 * Creates a user with a new organization, and signs them in (contract 13.2). Throws ConflictError for a
 * registered email, LimitError after too many sign-ups from one network.
 */
export async function signUp({
  ctx,
  input,
  deps,
}: {
  ctx: VisitorContext;
  input: SignupRequest;
  deps: SignInDeps;
}): Promise<SignedIn> {
  const { network, ...own } = ctx;
  await deps.limits.signup.count(network);
  const email = input.email.toLowerCase();
  const passwordHash = await deps.passwords.hash(input.password);
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const organization = {
        name: input.name ?? email,
        email,
        keyName: 'Default API Key',
        userName: input.name ?? null,
        passwordHash,
      };
      const { organizationId, userId } = await insertOrganization(tx, {
        ctx: { ...own, actor: { kind: 'system', name: 'signup' } },
        secrets: deps.secrets,
        input: organization,
      });
      const user = await getRow(tx, users, { id: userId, organizationId });
      return await startSession(tx, { ctx: own, tokens: deps.tokens, user });
    });
  } catch (error) {
    throw isDuplicate(error, 'uq_users_email') ? new ConflictError('Email already registered') : error;
  }
}
