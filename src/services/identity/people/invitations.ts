import { IsNull, MoreThan } from 'typeorm';
import type { Invitation, InviteRequest, NewInvitation } from '../../../contract/people.ts';
import type { SignedOut } from '../../../contract/users.ts';
import { deleteRows, findRows, insertRow, updateRows } from '../../../db/rows.ts';
import { invitations, type InvitationRow } from '../../../db/tables/invitations.ts';
import { memberships } from '../../../db/tables/memberships.ts';
import { ConflictError, NotFoundError } from '../../../domain/errors.ts';
import {
  actingUserId,
  appendAudit,
  once,
  type ServiceContext,
  wireTimestamp,
  type Write,
  write,
} from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import { peopleOf } from './members.ts';

/** How long an invitation works. */
const lifetimeMs = 7 * 86_400_000;

/** An invitation that can be accepted at this time. */
export const pending = (now: Date) => ({
  acceptedAt: IsNull(),
  // guarantee: revoked-invitation-opens-nothing
  revokedAt: IsNull(),
  // guarantee: invitation-expires
  expiresAt: MoreThan(now),
});

/**
 * Invites a person, and answers the link, which is stored nowhere. Does not look whether the address has an
 * account, so that the answer cannot tell. Throws ConflictError if a member of the organization has it.
 */
export async function createInvitation({
  ctx,
  input,
  linkOf,
}: {
  ctx: ServiceContext;
  input: InviteRequest;
  /** The link of a token. */
  linkOf: (token: string) => string;
}): Promise<NewInvitation> {
  const email = input.email.toLowerCase();
  return await write(ctx, async (tx) => {
    const make = async () => {
      await requireNoMember(tx, ctx, email);
      const { row, token } = await insert(tx, ctx, { email, role: input.role });
      return { id: row.id, answer: { ...toInvitation(row), link: linkOf(token) } };
    };
    return await once(tx, { kind: 'invitation', make, again: (id) => discardUnseen(tx, ctx, id) });
  });
}

/** The invitations that can be accepted, newest first. */
export async function listInvitations({ ctx }: { ctx: ServiceContext }): Promise<Invitation[]> {
  const { organizationId } = ctx;
  const rows = await findRows(
    ctx.db,
    invitations,
    { organizationId, ...pending(ctx.clock.now()) },
    { order: { id: 'DESC' } },
  );
  return rows.map(toInvitation);
}

/** Ends an invitation that can be accepted. Throws NotFoundError for any other. */
export async function revokeInvitation({
  ctx,
  input: { invitationId: id },
}: {
  ctx: ServiceContext;
  input: { invitationId: number };
}): Promise<SignedOut> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const now = ctx.clock.now();
    const where = { id, organizationId, ...pending(now) };
    if ((await updateRows(tx, invitations, { where, change: { revokedAt: now } })) === 0)
      throw new NotFoundError('Invitation not found');
    await appendAudit(tx, { action: 'invitation.revoked', subjectKind: 'invitation', subjectId: id });
    return { success: true };
  });
}

/** Looks at the members alone, however many accounts there are. */
async function requireNoMember(tx: Write, { organizationId }: ServiceContext, email: string): Promise<void> {
  const people = await peopleOf(tx, await findRows(tx, memberships, { organizationId }));
  // guarantee: invitation-hides-registered-emails
  if ([...people.values()].some((person) => person.email === email))
    throw new ConflictError('A member of the organization has this email address already');
}

async function insert(
  tx: Write,
  ctx: ServiceContext,
  { email, role }: InviteRequest,
): Promise<{ row: InvitationRow; token: string }> {
  const token = ctx.ids.secret(32);
  const createdAt = ctx.clock.now();
  const row = await insertRow(tx, invitations, {
    organizationId: ctx.organizationId,
    email,
    role,
    // guarantee: invitation-stored-as-hash
    tokenHash: hashKey(token),
    createdByUserId: actingUserId(ctx),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetimeMs),
    acceptedAt: null,
    revokedAt: null,
  });
  await appendAudit(tx, {
    action: 'invitation.created',
    subjectKind: 'invitation',
    subjectId: row.id,
    changes: { role, expiresAt: row.expiresAt },
  });
  return { row, token };
}

/** For a request that is repeated because its answer was lost: nobody has the link. */
async function discardUnseen(tx: Write, ctx: ServiceContext, id: number): Promise<null> {
  await deleteRows(tx, invitations, { id, organizationId: ctx.organizationId });
  await appendAudit(tx, { action: 'invitation.discarded', subjectKind: 'invitation', subjectId: id });
  return null;
}

function toInvitation({ id, email, role, createdAt, expiresAt, createdByUserId }: InvitationRow): Invitation {
  return {
    id,
    email,
    role,
    created_at: wireTimestamp(createdAt),
    expires_at: wireTimestamp(expiresAt),
    created_by: createdByUserId,
  };
}
