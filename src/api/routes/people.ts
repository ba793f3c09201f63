import { agentName } from '../../domain/person/agent-name.ts';
import {
  acceptInvitation,
  acceptOwnInvitation,
  changeRole,
  createInvitation,
  createPasswordLink,
  leaveOrganization,
  listInvitations,
  listMembers,
  listOwnOrganizations,
  readInvitation,
  readPasswordLink,
  removeMember,
  revokeInvitation,
  setPasswordByLink,
  switchOrganization,
  transferOwnership,
} from '../../services/identity/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { visitorOf, type UserRouteDeps } from './users.ts';

type PeopleRoute =
  | 'listMembers'
  | 'changeRole'
  | 'removeMember'
  | 'transferOwnership'
  | 'leaveOrganization'
  | 'createInvitation'
  | 'listInvitations'
  | 'revokeInvitation'
  | 'readInvitation'
  | 'acceptInvitation'
  | 'acceptOwnInvitation'
  | 'createPasswordLink'
  | 'readPasswordLink'
  | 'setPasswordByLink'
  | 'listOwnOrganizations'
  | 'switchOrganization';

export interface PeopleRouteDeps extends Pick<UserRouteDeps, 'signIn' | 'visitorContext'> {
  publicUrl: string;
}

/** The people of an organization, and how they come and go. */
export function peopleHandlers({
  signIn: deps,
  visitorContext,
  publicUrl,
}: PeopleRouteDeps): Pick<Handlers<ServiceContext>, PeopleRoute> {
  const visitor = visitorOf(visitorContext);
  // After the #, so that no server and no log on the way has it.
  const linkOf = (what: 'invitation' | 'new-password') => (token: string) => `${publicUrl}/#${what}=${token}`;
  return {
    listMembers: ({ ctx }) => listMembers({ ctx }),
    changeRole: ({ ctx, input: { params, body } }) =>
      changeRole({ ctx, input: { userId: params.user_id, role: body.role } }),
    removeMember: ({ ctx, input: { params } }) => removeMember({ ctx, input: { userId: params.user_id } }),
    transferOwnership: ({ ctx, input: { params } }) =>
      transferOwnership({ ctx, input: { userId: params.user_id } }),
    leaveOrganization: ({ ctx }) => leaveOrganization({ ctx }),
    createInvitation: ({ ctx, input: { body } }) =>
      createInvitation({ ctx, input: body, linkOf: linkOf('invitation') }),
    listInvitations: ({ ctx }) => listInvitations({ ctx }),
    revokeInvitation: ({ ctx, input: { params } }) =>
      revokeInvitation({ ctx, input: { invitationId: params.invitation_id } }),
    readInvitation: ({ client, input: { body } }) =>
      readInvitation({ ctx: visitor(client), input: body, deps }),
    acceptInvitation: ({ client, input: { body } }) =>
      acceptInvitation({ ctx: visitor(client), input: body, deps }),
    acceptOwnInvitation: ({ ctx, client, input: { body } }) =>
      acceptOwnInvitation({ ctx, userAgent: agentName(client.userAgent), input: body, deps }),
    createPasswordLink: ({ ctx, input: { params } }) =>
      createPasswordLink({ ctx, input: { userId: params.user_id }, linkOf: linkOf('new-password') }),
    readPasswordLink: ({ client, input: { body } }) =>
      readPasswordLink({ ctx: visitor(client), input: body, deps }),
    setPasswordByLink: ({ client, input: { body } }) =>
      setPasswordByLink({ ctx: visitor(client), input: body, deps }),
    listOwnOrganizations: ({ ctx }) => listOwnOrganizations({ ctx }),
    switchOrganization: ({ ctx, client, input: { body } }) =>
      switchOrganization({
        ctx,
        userAgent: agentName(client.userAgent),
        input: { organizationId: body.organization_id },
        deps,
      }),
  };
}
