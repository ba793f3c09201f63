import { z } from 'zod';
import { DateTime, ErrorBody, notFound, PathInteger, timestampPattern, retryAfter } from './common.ts';
import { roles, scopes } from './data/scopes.ts';
import { list, record } from './lax/collections.ts';
import { email } from './lax/email.ts';
import { boolean } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 13.2. */
export const minPasswordLength = 8;

export const SignupRequest = record({
  email: email(),
  password: text({ min: minPasswordLength }),
  name: text().nullish(),
}).meta({ id: 'SignupRequest', description: 'A new user with a new organization.' });
export type SignupRequest = z.output<typeof SignupRequest>;

/** A one-time code, or a recovery code in its place. */
export const code = () => text({ min: 1, max: 64 });

export const LoginRequest = record({ email: email(), password: text(), code: code().optional() }).meta({
  id: 'LoginRequest',
  description: 'Email and password of a user, and a code if the account demands one.',
});
export type LoginRequest = z.output<typeof LoginRequest>;

/** The token of a link that `npm start` prints. */
export const SignInLinkRequest = record({ token: text({ max: 128 }) }).meta({
  id: 'SignInLinkRequest',
  description: 'The token of a sign-in link.',
});
export type SignInLinkRequest = z.output<typeof SignInLinkRequest>;

export const User = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string().nullable(),
    organization_id: z.int(),
    provider_id: z.string(),
    role: z.enum(roles).nullable().meta({
      description: 'Role of the user in the organization. Null for an API key, which has scopes of its own.',
    }),
    scopes: z.array(z.enum(scopes)).meta({
      description: 'What the session or API key may do: each route names the scope that it needs.',
    }),
  })
  .meta({ id: 'User', description: 'A user in the organization of the session or API key.' });
export type User = z.infer<typeof User>;

export const SignedIn = z
  .object({
    token: z.string().meta({
      description:
        'Session token for `Authorization`, valid for 30 days, but not longer than the installation allows without a request (14 days by default).',
    }),
    user: User,
  })
  .meta({ id: 'SignedIn', description: 'A session and its user.' });
export type SignedIn = z.infer<typeof SignedIn>;

export const AuthUser = z
  .object({ id: z.int(), is_superuser: z.boolean() })
  .meta({ id: 'AuthUser', description: 'The caller.' });
export type AuthUser = z.infer<typeof AuthUser>;

export const SignedOut = z
  .object({ success: z.literal(true) })
  .meta({ id: 'SignedOut', description: 'Confirmation of the sign-out.' });
export type SignedOut = z.infer<typeof SignedOut>;

export const ChangePasswordRequest = record({
  current_password: text(),
  new_password: text({ min: minPasswordLength }),
}).meta({ id: 'ChangePasswordRequest', description: 'The current password of a user and a new one.' });
export type ChangePasswordRequest = z.output<typeof ChangePasswordRequest>;

export const Session = z
  .object({
    id: z.int(),
    created_at: DateTime,
    last_used_at: DateTime.meta({ description: 'When the session was last used, to five minutes.' }),
    expires_at: DateTime.meta({
      description: 'When the session expires at the latest. It expires earlier if it is not used.',
    }),
    user_agent: z
      .string()
      .nullable()
      .meta({ description: 'Short name of the client that signed in. Null if it did not name itself.' }),
    current: z.boolean().meta({ description: 'Whether the request belongs to this session.' }),
  })
  .meta({ id: 'Session', description: 'A session of the calling user, without its token.' });
export type Session = z.infer<typeof Session>;

export const EndedSessions = z
  .object({
    success: z.literal(true),
    ended: z.int().meta({ description: 'How many other sessions of the user have ended.' }),
  })
  .meta({ id: 'EndedSessions', description: 'Confirmation that other sessions have ended.' });
export type EndedSessions = z.infer<typeof EndedSessions>;

export const SecondFactor = z
  .object({
    on_since: DateTime.nullable().meta({
      description: 'Since when a sign-in needs a code. Null while it does not.',
    }),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'SecondFactor', description: 'Whether the calling user signs in with one-time codes.' });
export type SecondFactor = z.infer<typeof SecondFactor>;

export const BeginSecondFactorRequest = record({ password: text() }).meta({
  id: 'BeginSecondFactorRequest',
  description: 'The password of the calling user.',
});
export type BeginSecondFactorRequest = z.output<typeof BeginSecondFactorRequest>;

export const NewSecondFactor = z
  .object({ secret: z.string(), uri: z.string() })
  .meta({ id: 'NewSecondFactor', description: 'What an authenticator app needs. It is shown only once.' });
export type NewSecondFactor = z.infer<typeof NewSecondFactor>;

export const ConfirmSecondFactorRequest = record({ code: code() }).meta({
  id: 'ConfirmSecondFactorRequest',
  description: 'The first code of an authenticator app.',
});
export type ConfirmSecondFactorRequest = z.output<typeof ConfirmSecondFactorRequest>;

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()),
    ended: z.int().meta({ description: 'How many other sessions of the user have ended.' }),
  })
  .meta({
    id: 'RecoveryCodes',
    description: 'Codes that each sign in once, without the app. They are shown only once.',
  });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const TurnOffSecondFactorRequest = record({ password: text(), code: code() }).meta({
  id: 'TurnOffSecondFactorRequest',
  description: 'The password of the calling user, and a code.',
});
export type TurnOffSecondFactorRequest = z.output<typeof TurnOffSecondFactorRequest>;

export const OnboardingState = z
  .object({
    completed_at: z.string().nullable(),
    skipped: z.boolean(),
    seen_tooltips: z.array(z.string()),
    completed_actions: z.array(z.string()),
  })
  .meta({ id: 'OnboardingState', description: 'Onboarding state of a user.' });
export type OnboardingState = z.infer<typeof OnboardingState>;

const words = () => list(text({ max: 128 }), { max: 500 }).optional();
export const UpdateOnboardingRequest = record({
  completed_at: text({ pattern: timestampPattern }).nullish(),
  skipped: boolean().optional(),
  seen_tooltips: words(),
  completed_actions: words(),
}).meta({
  id: 'UpdateOnboardingRequest',
  description: 'Fields to change. Absent means unchanged. Lists replace the former ones.',
});
export type UpdateOnboardingRequest = z.output<typeof UpdateOnboardingRequest>;

const tag = 'Users';
export const tooOften = {
  description: 'Too many attempts. `detail` names the limit. Retry after `Retry-After` seconds.',
  schema: ErrorBody,
  headers: { 'Retry-After': retryAfter },
};

const noOrganization = {
  description: 'The user belongs to no organization any more.',
  schema: ErrorBody,
};
const noSession = { description: 'The request has an API key, which has no session.', schema: ErrorBody };

export const signUp = route({
  method: 'post',
  path: '/auth/signup',
  id: 'signUp',
  tag,
  auth: 'none',
  summary: 'Sign up',
  description:
    'Creates a user, an organization, and an API key named `Default API Key`, whose value is never shown. With the email and password of a registered user, signs in.',
  body: SignupRequest,
  answers: {
    200: { description: 'A session of the user.', schema: SignedIn },
    401: {
      description: 'The registered user signs in with codes (`code_needed`): by `/auth/login`.',
      schema: ErrorBody,
    },
    403: {
      description: 'Sign-up is disabled in this installation, or refused for this email and password.',
      schema: ErrorBody,
    },
    429: tooOften,
  },
});

export const logIn = route({
  method: 'post',
  path: '/auth/login',
  id: 'logIn',
  tag,
  auth: 'none',
  summary: 'Sign in',
  description:
    'Starts a session and returns its token. `code_needed` says that email and password are right and the account also demands a code: send all three.',
  body: LoginRequest,
  answers: {
    200: { description: 'The session.', schema: SignedIn },
    401: {
      description: 'Wrong email or password, a wrong or used code, or none (`code_needed`).',
      schema: ErrorBody,
    },
    403: noOrganization,
    429: tooOften,
  },
});

export const signInByLink = route({
  method: 'post',
  path: '/auth/sign-in-link',
  id: 'signInByLink',
  tag,
  auth: 'none',
  summary: 'Sign in by a link',
  description:
    'Starts a session for the token after `#sign-in=` in the link that `npm start` prints. A token works once within 15 minutes. No request makes one.',
  body: SignInLinkRequest,
  answers: {
    200: { description: 'The session.', schema: SignedIn },
    401: { description: 'The token is wrong, expired or used.', schema: ErrorBody },
    403: noOrganization,
    429: tooOften,
  },
});

export const logOut = route({
  method: 'post',
  path: '/auth/logout',
  id: 'logOut',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Sign out',
  description: 'Ends the session of the token in the request, on all processes at once.',
  answers: {
    200: { description: 'Confirmation.', schema: SignedOut },
    400: noSession,
  },
});

export const changePassword = route({
  method: 'post',
  path: '/auth/password',
  id: 'changePassword',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Change the password',
  description:
    "Changes the calling user's password and ends their other sessions, on all processes at once. Needs a session. API keys stay valid.",
  body: ChangePasswordRequest,
  answers: {
    200: { description: 'Changed.', schema: EndedSessions },
    400: {
      description: 'The current password is wrong, or the request has an API key.',
      schema: ErrorBody,
    },
    429: tooOften,
  },
});

const sessionsPath = '/auth/sessions';

export const listSessions = route({
  method: 'get',
  path: sessionsPath,
  id: 'listSessions',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'List sessions',
  description: 'Returns the sessions of the calling user that are not over, newest first. Needs a session.',
  answers: {
    200: { description: 'The sessions.', schema: z.array(Session) },
    400: noSession,
  },
});

export const endOtherSessions = route({
  method: 'delete',
  path: sessionsPath,
  id: 'endOtherSessions',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'End all other sessions',
  description: 'Ends the sessions of the calling user except that of the request, on all processes at once.',
  answers: {
    200: { description: 'Confirmation.', schema: EndedSessions },
    400: noSession,
  },
});

export const endSession = route({
  method: 'delete',
  path: `${sessionsPath}/{session_id}`,
  id: 'endSession',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'End a session',
  description: 'Ends a session of the calling user, on all processes at once. Needs a session.',
  params: record({ session_id: PathInteger }),
  answers: {
    200: { description: 'Confirmation.', schema: SignedOut },
    400: noSession,
    404: notFound('The calling user has no such session, or it has ended.'),
  },
});

const secondFactorPath = '/auth/second-factor';
const refusedProof = {
  description: 'The password or the code is wrong, or the request has an API key.',
  schema: ErrorBody,
};

export const getSecondFactor = route({
  method: 'get',
  path: secondFactorPath,
  id: 'getSecondFactor',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Get the second factor',
  description: 'Returns whether the calling user signs in with one-time codes. Needs a session.',
  answers: { 200: { description: 'Whether it is on.', schema: SecondFactor }, 400: noSession },
});

export const beginSecondFactor = route({
  method: 'post',
  path: secondFactorPath,
  id: 'beginSecondFactor',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Begin to sign in with codes',
  description:
    'Returns the secret of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds), in place of one that was not confirmed. A sign-in demands no code yet. Needs a session.',
  body: BeginSecondFactorRequest,
  answers: {
    200: { description: 'The secret.', schema: NewSecondFactor },
    400: refusedProof,
    409: { description: 'Codes are on already.', schema: ErrorBody },
    429: tooOften,
  },
});

export const confirmSecondFactor = route({
  method: 'post',
  path: `${secondFactorPath}/confirm`,
  id: 'confirmSecondFactor',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Turn codes on',
  description:
    'From now on a sign-in needs a code. Ends the other sessions of the calling user, on all processes at once. Returns ten recovery codes. Needs a session.',
  body: ConfirmSecondFactorRequest,
  answers: {
    200: { description: 'Codes are on.', schema: RecoveryCodes },
    400: { description: 'The code is wrong, or the request has an API key.', schema: ErrorBody },
    409: { description: 'There is no secret to confirm, or codes are on already.', schema: ErrorBody },
    429: tooOften,
  },
});

export const turnOffSecondFactor = route({
  method: 'post',
  path: `${secondFactorPath}/off`,
  id: 'turnOffSecondFactor',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Turn codes off',
  description: 'A sign-in needs no code any more. The recovery codes are void. Needs a session.',
  body: TurnOffSecondFactorRequest,
  answers: {
    200: { description: 'Codes are off.', schema: SecondFactor },
    400: refusedProof,
    409: { description: 'Codes are off already.', schema: ErrorBody },
    429: tooOften,
  },
});

export const getMe = route({
  method: 'get',
  path: '/auth/me',
  id: 'getMe',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the calling user',
  description: 'With an API key, returns the user that it acts for.',
  answers: { 200: { description: 'The user.', schema: User } },
});

export const getAuthUser = route({
  method: 'get',
  path: '/user/auth/user',
  id: 'getAuthUser',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the id of the calling user',
  description: 'With an API key, returns the user that it acts for.',
  answers: { 200: { description: 'The user.', schema: AuthUser } },
});

export const getOnboardingState = route({
  method: 'get',
  path: '/user/onboarding-state',
  id: 'getOnboardingState',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the onboarding state',
  description: 'Returns the state of the calling user.',
  answers: { 200: { description: 'The state.', schema: OnboardingState } },
});

export const updateOnboardingState = route({
  method: 'put',
  path: '/user/onboarding-state',
  id: 'updateOnboardingState',
  tag,
  auth: 'key',
  scope: 'account:write',
  summary: 'Update the onboarding state',
  description: 'Changes the state of the calling user.',
  body: UpdateOnboardingRequest,
  answers: { 200: { description: 'The state.', schema: OnboardingState } },
});
