import type { SignedIn, SignupRequest } from '../../../contract/users.ts';
import { getRow } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { ForbiddenError } from '../../../domain/errors.ts';
import { insertOrganization } from '../organizations/create.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import type { SignInDeps, VisitorContext } from './deps.ts';
import { admitUser, findByEmail } from './log-in.ts';
import { startSession } from './start-session.ts';

interface SignUp {
  ctx: VisitorContext;
  input: SignupRequest;
  deps: SignInDeps;
}

/**
 * Creates a user with a new organization, and signs them in; signs in a registered user who sends the right
 * password (contract 13.2). Counts as a sign-up and as an attempt at the password of the account. Throws
 * ForbiddenError for a registered email with another password, LimitError after too many sign-ups from one
 * network, and as `admitUser`.
 */
export async function signUp(request: SignUp): Promise<SignedIn> {
  const { ctx, deps } = request;
  const email = request.input.email.toLowerCase();
  await deps.limits.signup.count(ctx.network);
  await countAttempt(deps.limits, { email, network: ctx.network });
  return (await registerOrAdmit(request, email)) ?? (await registerOrAdmit(request, email)) ?? refuse();
}

/** Null if somebody else has registered the email in the meantime. */
async function registerOrAdmit(request: SignUp, email: string): Promise<SignedIn | null> {
  const { ctx, input, deps } = request;
  const user = await findByEmail(ctx, email);
  // Both for every email, so that the time does not tell whether it is registered.
  const isMatch = await deps.passwords.matches(input.password, user?.passwordHash ?? null);
  const passwordHash = await deps.passwords.hash(input.password);
  if (user === null) return await register(request, { email, passwordHash });
  return isMatch ? await admitUser({ ctx, deps, user }) : refuse();
}

async function register(
  { ctx, input, deps }: SignUp,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<SignedIn | null> {
  const { network, userAgent: _, ...own } = ctx;
  try {
    const signedIn = await inTransaction(ctx.db, async (tx) => {
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
      const user = await getRow(tx, users, { id: userId });
      return await startSession(tx, { ctx, tokens: deps.tokens, user, organizationId });
    });
    await forgiveAttempt(deps.limits, { email, network });
    return signedIn;
  } catch (error) {
    if (isDuplicate(error, 'uq_users_email')) return null;
    throw error;
  }
}

function refuse(): never {
  throw new ForbiddenError('This email and password cannot sign up. If you have an account, sign in');
}
