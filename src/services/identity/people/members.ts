import { In, IsNull, MoreThan, type EntityManager } from 'typeorm';
import type { Role } from '../../../contract/data/scopes.ts';
import type { Member, RemovedMember } from '../../../contract/people.ts';
import { acrossOrganizations, deleteRows, findRow, findRows, updateRows, type Db } from '../../../db/rows.ts';
import { apiKeys } from '../../../db/tables/api-keys.ts';
import { memberships, type MembershipRow } from '../../../db/tables/memberships.ts';
import { users, type UserRow } from '../../../db/tables/users.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import { keepsAnOwner } from '../../../domain/people/last-owner.ts';
import { roleOfFormerOwner } from '../../../domain/people/roles.ts';
import {
  lockOrganization,
  actingUserId,
  appendAudit,
  type ServiceContext,
  wireTimestamp,
  type Write,
  write,
} from '../../kernel/index.ts';
import { endSessions, ownSession } from '../users/sessions.ts';

/** The people of the organization, in the order in which they joined. */
export async function listMembers({ ctx }: { ctx: ServiceContext }): Promise<Member[]> {
  const { organizationId } = ctx;
  const rows = await findRows(ctx.db, memberships, { organizationId }, { order: { id: 'ASC' } });
  const people = await peopleOf(ctx.db, rows);
  const keys = await liveKeys(ctx.db.manager, ctx, { userId: In(rows.map(({ userId }) => userId)) });
  return rows.map((row) =>
    toMember(row, {
      user: people.get(row.userId),
      you: you(ctx),
      liveKeys: keys.filter(({ userId }) => userId === row.userId).length,
    }),
  );
}

/** The users of these memberships, by id. */
export async function peopleOf(
  db: Db,
  rows: readonly Pick<MembershipRow, 'userId'>[],
): Promise<Map<number, UserRow>> {
  if (rows.length === 0) return new Map();
  const found = await findRows(acrossOrganizations(db, 'memberships name the people'), users, {
    id: In(rows.map(({ userId }) => userId)),
  });
  return new Map(found.map((user) => [user.id, user]));
}

/**
 * Gives a member another role and ends their sessions in the organization, unless they have it already. Throws
 * NotFoundError, and PreconditionError if no owner would stay.
 */
export async function changeRole({
  ctx,
  input: { userId, role },
}: {
  ctx: ServiceContext;
  input: { userId: number; role: Role };
}): Promise<Member> {
  return await write(ctx, async (tx) => {
    const member = await lockMember(tx, ctx, userId);
    if (member.role !== role) {
      await requireAnOwner(tx, ctx, { userId, role });
      await setRole(tx, ctx, { member, role });
    }
    return await shown(tx, ctx, { ...member, role });
  });
}

/** Removes a member. Throws NotFoundError, and PreconditionError if no owner would stay. */
export async function removeMember({
  ctx,
  input: { userId },
}: {
  ctx: ServiceContext;
  input: { userId: number };
}): Promise<RemovedMember> {
  return await write(ctx, (tx) => remove(tx, ctx, { userId, action: 'member.removed' }));
}

/** Removes the calling user. Throws PreconditionError for an API key (400), and for the last owner. */
export async function leaveOrganization({ ctx }: { ctx: ServiceContext }): Promise<RemovedMember> {
  ownSession(ctx);
  return await write(ctx, (tx) => remove(tx, ctx, { userId: actingUserId(ctx), action: 'member.left' }));
}

/**
 * Makes a member an owner and the calling owner a builder; ends the sessions of both. Throws NotFoundError, and
 * PreconditionError (400) for an API key and for oneself.
 */
export async function transferOwnership({
  ctx,
  input: { userId },
}: {
  ctx: ServiceContext;
  input: { userId: number };
}): Promise<Member> {
  ownSession(ctx);
  const former = actingUserId(ctx);
  if (former === userId)
    throw new PreconditionError('You are an owner already; name another member', { status: 400 });
  return await write(ctx, async (tx) => {
    const member = await lockMember(tx, ctx, userId);
    await setRole(tx, ctx, { member, role: 'owner' });
    const own = await lockMember(tx, ctx, former);
    await setRole(tx, ctx, { member: own, role: roleOfFormerOwner });
    await appendAudit(tx, {
      action: 'organization.owner_transferred',
      subjectKind: 'organization',
      subjectId: ctx.organizationId,
      changes: { from: former, to: userId },
    });
    return await shown(tx, ctx, { ...member, role: 'owner' });
  });
}

/**
 * The membership. Locks the organization first, so that two changes at once cannot leave it without an owner.
 * Throws NotFoundError.
 */
export async function lockMember(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  userId: number,
): Promise<MembershipRow> {
  await lockOrganization(tx, { organizationId });
  const member = await findRow(tx, memberships, { organizationId, userId }, { isLocked: true });
  if (member === null) throw new NotFoundError('Member not found');
  return member;
}

/** Throws PreconditionError if the change leaves no owner. */
async function requireAnOwner(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  change: { userId: number; role: Role | null },
): Promise<void> {
  const owners = await findRows(tx, memberships, { organizationId, role: 'owner' });
  // guarantee: last-owner-stays
  if (
    !keepsAnOwner(
      owners.map(({ userId }) => userId),
      change,
    )
  )
    throw new PreconditionError('The last owner has to stay: make another member an owner first');
}

async function setRole(
  tx: Write,
  ctx: ServiceContext,
  { member: { id, userId, role: former }, role }: { member: MembershipRow; role: Role },
): Promise<void> {
  const { organizationId } = ctx;
  await updateRows(tx, memberships, { where: { id, organizationId }, change: { role } });
  // guarantee: new-role-ends-sessions
  const endedSessions = await endSessions(tx, ctx, { userId, organizationId });
  await appendAudit(tx, {
    action: 'member.role_changed',
    subjectKind: 'member',
    subjectId: userId,
    changes: { endedSessions },
    states: { before: { role: former }, after: { role } },
  });
}

async function remove(
  tx: Write,
  ctx: ServiceContext,
  { userId, action }: { userId: number; action: 'member.removed' | 'member.left' },
): Promise<RemovedMember> {
  const { organizationId } = ctx;
  const { id, role } = await lockMember(tx, ctx, userId);
  await requireAnOwner(tx, ctx, { userId, role: null });
  await deleteRows(tx, memberships, { id, organizationId });
  const endedSessions = await endSessions(tx, ctx, { userId, organizationId });
  await appendAudit(tx, {
    action,
    subjectKind: 'member',
    subjectId: userId,
    changes: { role, endedSessions },
  });
  const keys = await liveKeys(tx, ctx, { userId });
  return { success: true, ended_sessions: endedSessions, live_api_keys: keys.length };
}

/** The keys that still open the organization and act for a person. */
async function liveKeys(
  tx: EntityManager,
  { organizationId, clock }: ServiceContext,
  of: { userId: number | ReturnType<typeof In<number>> },
): Promise<{ userId: number }[]> {
  const live = { organizationId, ...of, archivedAt: IsNull() };
  return await findRows(tx, apiKeys, [
    { ...live, expiresAt: IsNull() },
    { ...live, expiresAt: MoreThan(clock.now()) },
  ]);
}

async function shown(tx: EntityManager, ctx: ServiceContext, row: MembershipRow): Promise<Member> {
  const people = await peopleOf(tx, [row]);
  const keys = await liveKeys(tx, ctx, { userId: row.userId });
  return toMember(row, { user: people.get(row.userId), you: you(ctx), liveKeys: keys.length });
}

/** The user of a session; a key is nobody among the members. */
const you = ({ actor }: ServiceContext): number | null => (actor.kind === 'user' ? actor.userId : null);

function toMember(
  { userId, role, createdAt }: MembershipRow,
  { user, you: own, liveKeys: keys }: { user: UserRow | undefined; you: number | null; liveKeys: number },
): Member {
  return {
    user_id: userId,
    email: user?.email ?? '',
    name: user?.name ?? null,
    role,
    joined_at: wireTimestamp(createdAt),
    is_you: userId === own,
    live_api_keys: keys,
  };
}
