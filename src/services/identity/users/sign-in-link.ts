import type { DataSource } from 'typeorm';
import type { SignedIn, SignInLinkRequest } from '../../../contract/users.ts';
import { getRow } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { UnauthenticatedError } from '../../../domain/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { SignInDeps, VisitorContext } from './deps.ts';
import { createLink, findLink, takeLink } from './links.ts';
import { startSession } from './start-session.ts';

/** How long a link works (contract 13.2). */
const lifetimeMs = 15 * 60_000;

/**
 * Makes the token of a link that signs the user in once (contract 13.2), in place of the user's former one.
 * Only a command of the development machine calls it; no request does.
 */
export async function createSignInToken({
  db,
  clock,
  ids,
  user: { id: userId, organizationId },
}: {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  user: { id: number; organizationId: number };
}): Promise<string> {
  const link = { kind: 'sign_in', userId, organizationId, lifetimeMs } as const;
  return (await createLink(db, { clock, ids }, link)).token;
}

/**
 * Starts a session for the token of a link. Of simultaneous requests with one token one succeeds. Counts like
 * a sign-in from the network. Throws UnauthenticatedError, the same one for an unknown, expired and used
 * token, and LimitError.
 */
export async function signInByLink({
  ctx,
  input,
  deps: { limits, tokens },
}: {
  ctx: VisitorContext;
  input: SignInLinkRequest;
  deps: SignInDeps;
}): Promise<SignedIn> {
  const { network } = ctx;
  await limits.network.count(network);
  const signedIn = await inTransaction(ctx.db, async (tx) => {
    const link = await findLink(tx, { kind: 'sign_in', token: input.token, now: ctx.clock.now() });
    if (link === null || !(await takeLink(tx, link))) throw refused();
    const { userId, organizationId } = link;
    const user = await getRow(tx, users, { id: userId });
    return await startSession(tx, { ctx, tokens, user, organizationId });
  });
  await limits.network.forgive(network);
  return signedIn;
}

const refused = (): UnauthenticatedError =>
  new UnauthenticatedError('The sign-in link is wrong, expired or used');
