export { archiveKey } from './api-keys/archive.ts';
export { authenticateKey } from './api-keys/authenticate.ts';
export { createKey } from './api-keys/create.ts';
export { listKeys } from './api-keys/list.ts';
export { reactivateKey } from './api-keys/reactivate.ts';
export { rotateKey } from './api-keys/rotate.ts';
export { createCredential } from './credentials/create.ts';
export { deleteCredential } from './credentials/delete.ts';
export { getCredential } from './credentials/get.ts';
export { type CredentialHeaders, resolveCredentialHeaders } from './credentials/headers.ts';
export { credentialPlace } from './credentials/internal.ts';
export { listCredentials } from './credentials/list.ts';
export { updateCredential } from './credentials/update.ts';
export {
  addToday,
  type OrganizationTime,
  readToday,
  returnDial,
  takeDial,
  type Today,
} from './days/day-use.ts';
export { zoneOf } from './days/zone.ts';
export { issueDownloadTicket } from './download-tickets/issue.ts';
export { createTicketUses, redeemDownloadTicket } from './download-tickets/redeem.ts';
export { createKnownCallers } from './known-callers.ts';
export { createOrganization } from './organizations/create.ts';
export { getOrganizationContext } from './organizations/get-context.ts';
export {
  changePreferences,
  changePreferencesWithin,
  getPreferences,
  getPreferencesWithin,
} from './organizations/preferences.ts';
export { acceptInvitation, acceptOwnInvitation, readInvitation } from './people/accept-invitation.ts';
export { createInvitation, listInvitations, revokeInvitation } from './people/invitations.ts';
export {
  changeRole,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOwnership,
} from './people/members.ts';
export { createPasswordLink, readPasswordLink, setPasswordByLink } from './people/password-links.ts';
export { listOwnOrganizations, switchOrganization } from './people/own-organizations.ts';
export { type LimitState, type RequestLimiter, createRequestLimits } from './request-limits/create.ts';
export { holderOf, readStandings, type Standing } from './standings.ts';
export { authenticateSession } from './users/authenticate.ts';
export { changePassword } from './users/change-password.ts';
export { secondFactorPlace } from './users/codes.ts';
export type { SignInDeps, VisitorContext } from './users/deps.ts';
export { getAuthUser, getMe } from './users/get.ts';
export { createSignInLimits } from './users/limits.ts';
export { logIn } from './users/log-in.ts';
export { logOut } from './users/log-out.ts';
export { getOnboardingState, updateOnboardingState } from './users/onboarding.ts';
export { createSignInToken, signInByLink } from './users/sign-in-link.ts';
export {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  turnOffSecondFactor,
} from './users/second-factor.ts';
export { endOtherSessions, endSession, listSessions } from './users/sessions.ts';
export { signUp } from './users/sign-up.ts';
export { addWebhookSecret } from './webhook-secrets/add.ts';
export { secretPlace } from './webhook-secrets/internal.ts';
export { listWebhookSecrets, liveWebhookSecrets } from './webhook-secrets/list.ts';
export { retireWebhookSecret } from './webhook-secrets/retire.ts';
