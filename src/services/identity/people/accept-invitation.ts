import type { EntityManager } from 'typeorm';
import type { AcceptInvitationRequest, ShownInvitation } from '../../../contract/people.ts';
import type { SignedIn } from '../../../contract/users.ts';
import { acrossOrganizations, findRow, getRow, insertRow, updateRows, type Db } from '../../../db/rows.ts';
import { invitations, type InvitationRow } from '../../../db/tables/invitations.ts';
import { memberships } from '../../../db/tables/memberships.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { ForbiddenError, NotFoundError, UnauthenticatedError } from '../../../domain/errors.ts';
import { appendAudit, onBehalfOf, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import { countAttempt, forgiveAttempt } from '../users/attempts.ts';
import { countingCode, demandCode } from '../users/codes.ts';
import type { SignInDeps, VisitorContext } from '../users/deps.ts';
import { actingUser } from '../users/get.ts';
import { findByEmail } from '../users/log-in.ts';
import { findMembership } from '../users/memberships.ts';
import { startSession } from '../users/start-session.ts';
import { endOwnSession } from './end-own-session.ts';
import { pending } from './invitations.ts';

/**
 * What an invitation offers. Counts like a sign-in from the network. Throws UnauthenticatedError, the same one
 * for an unknown, expired, revoked and used token, and LimitError.
 */
export async function readInvitation({
  ctx,
  input: { token },
  deps: { limits },
}: {
  ctx: VisitorContext;
  input: { token: string };
  deps: Pick<SignInDeps, 'limits'>;
}): Promise<ShownInvitation> {
  await limits.network.count(ctx.network);
  const invitation = await findPending(ctx.db, token, ctx.clock.now());
  if (invitation === null) throw refused();
  await limits.network.forgive(ctx.network);
  const { email, role, expiresAt, organizationId } = invitation;
  const { name } = await getRow(ctx.db, organizations, { id: organizationId });
  return { organization_name: name, email, role, expires_at: wireTimestamp(expiresAt) };
}

interface Accepting {
  ctx: VisitorContext;
  input: AcceptInvitationRequest;
  deps: SignInDeps;
}

/**
 * Accepts an invitation with the password of the invited account, or makes that account, also while sign-up is
 * closed, and signs in. Counts as an attempt at the password. Throws UnauthenticatedError as `readInvitation`,
 * ForbiddenError for the wrong password of an account, LimitError, and as `demandCode`.
 */
export async function acceptInvitation(accepting: Accepting): Promise<SignedIn> {
  return (await acceptOnce(accepting)) ?? (await acceptOnce(accepting)) ?? refusePassword();
}

/** Null if somebody else has registered the email in the meantime. */
async function acceptOnce({ ctx, input, deps }: Accepting): Promise<SignedIn | null> {
  const { passwords, limits, tokens } = deps;
  const { network } = ctx;
  await limits.network.count(network);
  const invitation = await findPending(ctx.db, input.token, ctx.clock.now());
  if (invitation === null) throw refused();
  await limits.network.forgive(network);
  const { email } = invitation;
  await countAttempt(limits, { email, network });
  const known = await findByEmail(ctx, email);
  // Both for every email, so that the time does not tell whether it is registered.
  const isMatch = await passwords.matches(input.password, known?.passwordHash ?? null);
  const passwordHash = await passwords.hash(input.password);
  if (known !== null && !isMatch) refusePassword();
  await forgiveAttempt(limits, { email, network });
  const { organizationId } = invitation;
  const admit = () =>
    inTransaction(ctx.db, async (tx) => {
      const user =
        known === null
          ? await insertUser(tx, ctx, { email, name: input.name ?? null, passwordHash })
          : await unchanged(tx, known);
      const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId: user.id } });
      // guarantee: invitation-is-no-second-factor
      await demandCode(change, ctx, { userId: user.id, code: input.code });
      await join(tx, ctx, { invitation, userId: user.id, isNew: known === null });
      return await startSession(tx, { ctx, tokens, user, organizationId });
    });
  try {
    if (known === null) return await admit();
    return await countingCode(limits, { userId: known.id, code: input.code }, admit);
  } catch (error) {
    if (isDuplicate(error, 'uq_users_email')) return null;
    throw error;
  }
}

/**
 * Accepts an invitation as the calling user, whose session it replaces. Throws PreconditionError (400) for an
 * API key, NotFoundError, and ForbiddenError for an invitation of another address.
 */
export async function acceptOwnInvitation({
  ctx,
  userAgent,
  input: { token },
  deps: { tokens },
}: {
  ctx: ServiceContext;
  userAgent: string | null;
  input: { token: string };
  deps: Pick<SignInDeps, 'tokens'>;
}): Promise<SignedIn> {
  const user = await actingUser(ctx);
  return await write(ctx, async (tx) => {
    await endOwnSession(tx, ctx);
    const invitation = await findPending(tx, token, ctx.clock.now());
    if (invitation === null) throw new NotFoundError('Invitation not found');
    // guarantee: invitation-is-for-one-address
    if (invitation.email !== user.email)
      throw new ForbiddenError(
        `The invitation is for ${invitation.email}: sign out, and accept it with that address`,
      );
    await join(tx, ctx, { invitation, userId: user.id, isNew: false });
    const { organizationId } = invitation;
    return await startSession(tx, { ctx: { ...ctx, userAgent }, tokens, user, organizationId });
  });
}

async function findPending(db: Db, token: string, now: Date): Promise<InvitationRow | null> {
  return await findRow(acrossOrganizations(db, 'the token is unique across the whole service'), invitations, {
    tokenHash: hashKey(token),
    ...pending(now),
  });
}

/** Uses the invitation up and makes its person a member. Of simultaneous requests one succeeds. */
async function join(
  tx: EntityManager,
  ctx: Pick<ServiceContext, 'ids' | 'clock' | 'requestId'>,
  { invitation, userId, isNew }: { invitation: InvitationRow; userId: number; isNew: boolean },
): Promise<void> {
  const { id, organizationId, role } = invitation;
  const now = ctx.clock.now();
  const where = { id, organizationId, ...pending(now) };
  // guarantee: invitation-works-once
  if ((await updateRows(tx, invitations, { where, change: { acceptedAt: now } })) !== 1) throw refused();
  const change = onBehalfOf(tx, { ...ctx, organizationId, actor: { kind: 'user', userId } });
  await appendAudit(change, { action: 'invitation.accepted', subjectKind: 'invitation', subjectId: id });
  if (isNew) await appendAudit(change, { action: 'user.created', subjectKind: 'user', subjectId: userId });
  if ((await findMembership(tx, { userId, organizationId })) !== null) return; // by another invitation
  await insertRow(tx, memberships, { organizationId, userId, role, createdAt: now, chosenAt: now });
  await appendAudit(change, {
    action: 'member.joined',
    subjectKind: 'member',
    subjectId: userId,
    changes: { role },
  });
}

async function insertUser(
  tx: EntityManager,
  { ids, clock }: VisitorContext,
  person: Pick<UserRow, 'email' | 'name' | 'passwordHash'>,
): Promise<UserRow> {
  // The organization runs already, so its first run is not theirs.
  const onboardingState = { completed_at: null, skipped: true, seen_tooltips: [], completed_actions: [] };
  const facts = { uuid: ids.uuid(), isSuperuser: false, onboardingState, createdAt: clock.now() };
  return await insertRow(tx, users, { ...person, ...facts });
}

/** The user, whose password is still the one that was checked. Throws ForbiddenError. */
async function unchanged(tx: EntityManager, { id, passwordHash }: UserRow): Promise<UserRow> {
  const current = await getRow(tx, users, { id }, { isLocked: true });
  return current.passwordHash === passwordHash ? current : refusePassword();
}

const refused = () => new UnauthenticatedError('The invitation is unknown, expired, revoked or used');

function refusePassword(): never {
  throw new ForbiddenError(
    'This password cannot accept the invitation. If you have an account with this address, use its password',
  );
}
