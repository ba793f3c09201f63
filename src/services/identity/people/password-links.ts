import type { EntityManager } from 'typeorm';
import type { NewPasswordLink, SetPasswordRequest, ShownPasswordLink } from '../../../contract/people.ts';
import type { SignedIn } from '../../../contract/users.ts';
import { acrossOrganizations, getRow, type Db } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import type { SignInLinkRow } from '../../../db/tables/sign-in-links.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { PreconditionError, UnauthenticatedError } from '../../../domain/errors.ts';
import {
  actingUserId,
  appendAudit,
  onBehalfOf,
  type ServiceContext,
  wireTimestamp,
  write,
} from '../../kernel/index.ts';
import { setPassword } from '../users/change-password.ts';
import { countingCode, demandCode } from '../users/codes.ts';
import type { SignInDeps, VisitorContext } from '../users/deps.ts';
import { createLink, findLink, takeLink } from '../users/links.ts';
import { organizationsOf } from '../users/memberships.ts';
import { endSessions } from '../users/sessions.ts';
import { startSession } from '../users/start-session.ts';
import { lockMember } from './members.ts';

/** How long a link works. */
const lifetimeMs = 86_400_000;

/**
 * Makes a link by which a member chooses a new password, in place of their former one. Throws NotFoundError,
 * and PreconditionError for oneself (400) and for somebody whose account is not the organization's alone.
 */
export async function createPasswordLink({
  ctx,
  input: { userId },
  linkOf,
}: {
  ctx: ServiceContext;
  input: { userId: number };
  /** The link of a token. */
  linkOf: (token: string) => string;
}): Promise<NewPasswordLink> {
  if (userId === actingUserId(ctx))
    throw new PreconditionError('Change your own password with the present one', { status: 400 });
  return await write(ctx, async (tx) => {
    await lockMember(tx, ctx, userId);
    const user = await userOf(tx, userId);
    if (!(await isOfOne(tx, user)))
      throw new PreconditionError(
        'The account belongs to more than this organization: the operator of the installation resets its password',
      );
    const { organizationId } = ctx;
    const { token, expiresAt } = await createLink(tx, ctx, {
      kind: 'new_password',
      userId,
      organizationId,
      lifetimeMs,
    });
    await appendAudit(tx, {
      action: 'user.password_link_created',
      subjectKind: 'user',
      subjectId: userId,
      changes: { expiresAt },
    });
    const { email } = user;
    return { user_id: userId, email, expires_at: wireTimestamp(expiresAt), link: linkOf(token) };
  });
}

/**
 * Whose password a link sets. Counts like a sign-in from the network. Throws UnauthenticatedError, the same one
 * for an unknown, expired, replaced and used token, and LimitError.
 */
export async function readPasswordLink({
  ctx,
  input,
  deps: { limits },
}: {
  ctx: VisitorContext;
  input: { token: string };
  deps: Pick<SignInDeps, 'limits'>;
}): Promise<ShownPasswordLink> {
  const { organizationId, expiresAt, user } = await open(ctx, input, limits);
  const { name } = await getRow(ctx.db, organizations, { id: organizationId });
  return { organization_name: name, email: user.email, expires_at: wireTimestamp(expiresAt) };
}

/**
 * Sets the password of the person of a link, ends all their sessions and signs them in. The link does not stand for a
 * code: who made it could sign in as the person. Throws as `readPasswordLink`, `countingCode` and `demandCode`.
 */
export async function setPasswordByLink({
  ctx,
  input,
  deps: { limits, passwords, tokens },
}: {
  ctx: VisitorContext;
  input: SetPasswordRequest;
  deps: SignInDeps;
}): Promise<SignedIn> {
  const { user, ...link } = await open(ctx, input, limits);
  const { userId, organizationId } = link;
  const passwordHash = await passwords.hash(input.password);
  const admit = () =>
    inTransaction(ctx.db, async (tx) => {
      // guarantee: password-link-works-once
      if (!(await takeLink(tx, link))) throw refused();
      if (!(await isOfOne(tx, user))) throw refused();
      const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId } });
      // guarantee: password-link-is-no-second-factor
      await demandCode(change, ctx, { userId, code: input.code });
      await setPassword(tx, { id: userId, passwordHash });
      // guarantee: password-link-ends-all-sessions
      const endedSessions = await endSessions(tx, ctx, { userId });
      await appendAudit(change, {
        action: 'user.password_reset',
        subjectKind: 'user',
        subjectId: userId,
        changes: { endedSessions },
      });
      return await startSession(tx, { ctx, tokens, user, organizationId });
    });
  return await countingCode(limits, { userId, code: input.code }, admit);
}

async function open(
  { db, clock, network }: VisitorContext,
  { token }: { token: string },
  limits: SignInDeps['limits'],
): Promise<SignInLinkRow & { user: UserRow }> {
  await limits.network.count(network);
  const link = await findLink(db, { kind: 'new_password', token, now: clock.now() });
  if (link === null) throw refused();
  await limits.network.forgive(network);
  return { ...link, user: await userOf(db, link.userId) };
}

const userOf = async (db: Db, id: number): Promise<UserRow> =>
  await getRow(acrossOrganizations(db, 'a membership or a link names the person'), users, { id });

/**
 * Whether the account opens one organization. Else its owners could sign in to another one by setting a
 * password.
 */
async function isOfOne(tx: EntityManager, { id, isSuperuser }: UserRow): Promise<boolean> {
  // guarantee: password-link-opens-no-other-organization
  return !isSuperuser && (await organizationsOf(tx, id)).length === 1;
}

const refused = () => new UnauthenticatedError('The link is unknown, expired, replaced or used');
