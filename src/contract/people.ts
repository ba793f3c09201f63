import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound, PathInteger } from './common.ts';
import { roles } from './data/scopes.ts';
import { record } from './lax/collections.ts';
import { email } from './lax/email.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';
import { code, minPasswordLength, SignedIn, SignedOut, tooOften } from './users.ts';

const role = z.enum(roles);

/** An addition to the published interface, like the whole file. */
export const Member = z
  .object({
    user_id: z.int(),
    email: z.string(),
    name: z.string().nullable(),
    role,
    joined_at: DateTime,
    is_you: z.boolean(),
    live_api_keys: z.int(),
  })
  .meta({ id: 'Member', description: 'A person with a role in the organization.' });
export type Member = z.infer<typeof Member>;

export const RemovedMember = z
  .object({ success: z.literal(true), ended_sessions: z.int(), live_api_keys: z.int() })
  .meta({ id: 'RemovedMember', description: 'Confirmation that a person has left the organization.' });
export type RemovedMember = z.infer<typeof RemovedMember>;

const invitationFields = {
  id: z.int(),
  email: z.string(),
  role,
  created_at: DateTime,
  expires_at: DateTime,
  created_by: z.int(),
};
export const Invitation = z
  .object(invitationFields)
  .meta({ id: 'Invitation', description: 'An invitation that can be accepted.' });
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z
  .object({ ...invitationFields, link: z.string() })
  .meta({ id: 'NewInvitation', description: 'A new invitation with its link.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const ShownInvitation = z
  .object({ organization_name: z.string(), email: z.string(), role, expires_at: DateTime })
  .meta({ id: 'ShownInvitation', description: 'What an invitation offers.' });
export type ShownInvitation = z.infer<typeof ShownInvitation>;

export const NewPasswordLink = z
  .object({ user_id: z.int(), email: z.string(), expires_at: DateTime, link: z.string() })
  .meta({ id: 'NewPasswordLink', description: 'A link by which a member chooses a new password.' });
export type NewPasswordLink = z.infer<typeof NewPasswordLink>;

export const ShownPasswordLink = z
  .object({ organization_name: z.string(), email: z.string(), expires_at: DateTime })
  .meta({ id: 'ShownPasswordLink', description: 'Whose password a link sets.' });
export type ShownPasswordLink = z.infer<typeof ShownPasswordLink>;

export const OwnOrganization = z
  .object({ organization_id: z.int(), organization_name: z.string(), role, is_current: z.boolean() })
  .meta({ id: 'OwnOrganization', description: 'An organization that the calling user belongs to.' });
export type OwnOrganization = z.infer<typeof OwnOrganization>;

export const InviteRequest = record({ email: email(), role: literal(...roles) }).meta({
  id: 'InviteRequest',
  description: 'Whom to invite, and as what.',
});
export type InviteRequest = z.output<typeof InviteRequest>;

export const ChangeRoleRequest = record({ role: literal(...roles) }).meta({
  id: 'ChangeRoleRequest',
  description: 'The new role of a member.',
});
export type ChangeRoleRequest = z.output<typeof ChangeRoleRequest>;

export const InvitationTokenRequest = record({ token: text({ max: 128 }) }).meta({
  id: 'InvitationTokenRequest',
  description: 'The token of an invitation.',
});

export const AcceptInvitationRequest = record({
  token: text({ max: 128 }),
  password: text({ min: minPasswordLength }),
  name: text().nullish(),
  code: code().optional(),
}).meta({ id: 'AcceptInvitationRequest', description: 'The token of an invitation, and a password.' });
export type AcceptInvitationRequest = z.output<typeof AcceptInvitationRequest>;

export const PasswordLinkTokenRequest = record({ token: text({ max: 128 }) }).meta({
  id: 'PasswordLinkTokenRequest',
  description: 'The token of a link for a new password.',
});

export const SetPasswordRequest = record({
  token: text({ max: 128 }),
  password: text({ min: minPasswordLength }),
  code: code().optional(),
}).meta({ id: 'SetPasswordRequest', description: 'The token of a link, and the new password.' });
export type SetPasswordRequest = z.output<typeof SetPasswordRequest>;

export const SwitchOrganizationRequest = record({ organization_id: integer() }).meta({
  id: 'SwitchOrganizationRequest',
  description: 'The organization to work in.',
});

const tag = 'People';
const membersPath = '/organizations/members';
const MemberPath = record({ user_id: PathInteger });
const unknownMember = notFound("No such member of the caller's organization.");
const lastOwner = {
  description: 'The organization would have no owner. Nothing was changed.',
  schema: ErrorBody,
};
const unknownInvitation = {
  description: 'The invitation is unknown, expired, revoked or used.',
  schema: ErrorBody,
};
const unknownPasswordLink = {
  description: 'The link is unknown, expired, replaced or used.',
  schema: ErrorBody,
};
const orCode = ({ description }: { description: string }) => ({
  description: `${description} Or the account demands a code, and it is wrong or missing (\`code_needed\`).`,
  schema: ErrorBody,
});
const noSession = { description: 'The request has an API key, which has no session.', schema: ErrorBody };

export const listMembers = route({
  method: 'get',
  path: membersPath,
  id: 'listMembers',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the members',
  description: 'Returns the people of the organization, in the order in which they joined.',
  answers: { 200: { description: 'The members.', schema: z.array(Member) } },
});

export const changeRole = route({
  method: 'put',
  path: `${membersPath}/{user_id}`,
  id: 'changeRole',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Change the role of a member',
  description:
    "Ends the member's sessions in the organization, on all processes at once, unless they have the role already. API keys that they made keep their scopes.",
  params: MemberPath,
  body: ChangeRoleRequest,
  answers: { 200: { description: 'The member.', schema: Member }, 404: unknownMember, 409: lastOwner },
});

export const removeMember = route({
  method: 'delete',
  path: `${membersPath}/{user_id}`,
  id: 'removeMember',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Remove a member',
  description:
    "Ends the member's sessions in the organization, on all processes at once. API keys that they made stay valid: archive them.",
  params: MemberPath,
  answers: { 200: { description: 'Removed.', schema: RemovedMember }, 404: unknownMember, 409: lastOwner },
});

export const transferOwnership = route({
  method: 'post',
  path: `${membersPath}/{user_id}/ownership`,
  id: 'transferOwnership',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Transfer the ownership',
  description:
    'Makes the member an owner, and the calling user, who must be one, a builder. Ends the sessions of both in the organization. Needs a session.',
  params: MemberPath,
  answers: {
    200: { description: 'The new owner.', schema: Member },
    400: { description: 'The request has an API key, or names the caller.', schema: ErrorBody },
    404: unknownMember,
  },
});

export const leaveOrganization = route({
  method: 'post',
  path: '/organizations/leave',
  id: 'leaveOrganization',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Leave the organization',
  description:
    'Removes the calling user from the organization and ends their sessions there, that of the request too. Needs a session.',
  answers: {
    200: { description: 'Left.', schema: RemovedMember },
    400: noSession,
    409: lastOwner,
  },
});

const invitationsPath = '/organizations/invitations';

export const createInvitation = route({
  method: 'post',
  path: invitationsPath,
  id: 'createInvitation',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Invite a person',
  description:
    'Returns a link for the person. It works once within 7 days, for an account of this email address, which may exist already; the answer does not tell. Only this response has the link: the service sends no mail and stores a hash.',
  headers: IdempotencyHeaders,
  body: InviteRequest,
  answers: {
    200: { description: 'The invitation.', schema: NewInvitation },
    409: { description: 'A member of the organization has this email address.', schema: ErrorBody },
  },
});

export const listInvitations = route({
  method: 'get',
  path: invitationsPath,
  id: 'listInvitations',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'List pending invitations',
  description: 'Returns the invitations that can still be accepted, newest first.',
  answers: { 200: { description: 'The invitations.', schema: z.array(Invitation) } },
});

export const revokeInvitation = route({
  method: 'delete',
  path: `${invitationsPath}/{invitation_id}`,
  id: 'revokeInvitation',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Revoke an invitation',
  description: 'Its link no longer works.',
  params: record({ invitation_id: PathInteger }),
  answers: {
    200: { description: 'Revoked.', schema: SignedOut },
    404: notFound('The organization has no such pending invitation.'),
  },
});

export const readInvitation = route({
  method: 'post',
  path: '/auth/invitation',
  id: 'readInvitation',
  tag,
  auth: 'none',
  summary: 'Read an invitation',
  description: 'Returns what the invitation offers. Does not tell whether its email address has an account.',
  body: InvitationTokenRequest,
  answers: {
    200: { description: 'The invitation.', schema: ShownInvitation },
    401: unknownInvitation,
    429: tooOften,
  },
});

export const acceptInvitation = route({
  method: 'post',
  path: '/auth/invitation/accept',
  id: 'acceptInvitation',
  tag,
  auth: 'none',
  summary: 'Accept an invitation by password',
  description:
    'Starts a session in the organization. If the invited email address has no account, it gets one with this password, even while sign-up is closed; otherwise the password must be that of the account.',
  body: AcceptInvitationRequest,
  answers: {
    200: { description: 'A session in the organization.', schema: SignedIn },
    401: orCode(unknownInvitation),
    403: { description: 'The email address has an account with another password.', schema: ErrorBody },
    429: tooOften,
  },
});

export const acceptOwnInvitation = route({
  method: 'post',
  path: '/user/invitations/accept',
  id: 'acceptOwnInvitation',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Accept an invitation as the calling user',
  description:
    'Starts a session in the organization in place of that of the request. The invitation must be for the email address of the calling user. Needs a session.',
  body: InvitationTokenRequest,
  answers: {
    200: { description: 'A session in the organization.', schema: SignedIn },
    400: noSession,
    403: { description: 'The invitation is for another email address.', schema: ErrorBody },
    404: notFound('The invitation is unknown, expired, revoked or used.'),
  },
});

export const createPasswordLink = route({
  method: 'post',
  path: `${membersPath}/{user_id}/password-link`,
  id: 'createPasswordLink',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Let a member choose a new password',
  description:
    'Returns a link for the member, in place of a former one. It works once within 24 hours and ends all their sessions. Only this response has the link: the service sends no mail and stores a hash.',
  params: MemberPath,
  answers: {
    200: { description: 'The link.', schema: NewPasswordLink },
    400: { description: 'The member is the calling user.', schema: ErrorBody },
    404: unknownMember,
    409: {
      description: 'The member belongs to other organizations, too, or operates the installation.',
      schema: ErrorBody,
    },
  },
});

export const readPasswordLink = route({
  method: 'post',
  path: '/auth/password-link',
  id: 'readPasswordLink',
  tag,
  auth: 'none',
  summary: 'Read a link for a new password',
  description: 'Returns whose password the link sets.',
  body: PasswordLinkTokenRequest,
  answers: {
    200: { description: 'The link.', schema: ShownPasswordLink },
    401: unknownPasswordLink,
    429: tooOften,
  },
});

export const setPasswordByLink = route({
  method: 'post',
  path: '/auth/password-link/use',
  id: 'setPasswordByLink',
  tag,
  auth: 'none',
  summary: 'Choose a new password by a link',
  description: "Sets the password, ends all the person's sessions, and starts one in the organization.",
  body: SetPasswordRequest,
  answers: {
    200: { description: 'A session in the organization.', schema: SignedIn },
    401: orCode(unknownPasswordLink),
    429: tooOften,
  },
});

export const listOwnOrganizations = route({
  method: 'get',
  path: '/user/organizations',
  id: 'listOwnOrganizations',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: "List the user's organizations",
  description: 'Returns the organizations that the calling user belongs to. Needs a session.',
  answers: {
    200: { description: 'The organizations.', schema: z.array(OwnOrganization) },
    400: noSession,
  },
});

export const switchOrganization = route({
  method: 'post',
  path: '/user/organizations/switch',
  id: 'switchOrganization',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Switch to another organization',
  description:
    'Starts a session in another organization of the calling user, in place of that of the request, which ends. The next sign-in begins there, too. Needs a session.',
  body: SwitchOrganizationRequest,
  answers: {
    200: { description: 'A session in the organization.', schema: SignedIn },
    400: noSession,
    404: notFound('The calling user belongs to no such organization.'),
  },
});
