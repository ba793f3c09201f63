import { z } from 'zod';
import { ErrorBody, timestampPattern, retryAfter } from './common.ts';
import { list, record } from './lax/collections.ts';
import { email } from './lax/email.ts';
import { boolean } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 13.2. */
export const SignupRequest = record({
  email: email(),
  password: text({ min: 8 }),
  name: text().nullish(),
}).meta({ id: 'SignupRequest', description: 'A new user with a new organization.' });
export type SignupRequest = z.output<typeof SignupRequest>;

export const LoginRequest = record({ email: email(), password: text() }).meta({
  id: 'LoginRequest',
  description: 'Email and password of a user.',
});
export type LoginRequest = z.output<typeof LoginRequest>;

export const User = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string().nullable(),
    organization_id: z.int(),
    provider_id: z.string(),
  })
  .meta({ id: 'User', description: 'A user of an organization.' });
export type User = z.infer<typeof User>;

export const SignedIn = z
  .object({
    token: z.string().meta({ description: 'Session token for `Authorization`, valid for 30 days.' }),
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
const tooOften = {
  description: 'Too many attempts. Retry after `Retry-After` seconds.',
  schema: ErrorBody,
  headers: { 'Retry-After': retryAfter },
};

export const signUp = route({
  method: 'post',
  path: '/auth/signup',
  id: 'signUp',
  tag,
  auth: 'none',
  summary: 'Sign up',
  description:
    'Creates a user, an organization, and an API key named `Default API Key`, whose value is never shown.',
  body: SignupRequest,
  answers: {
    200: { description: 'A session of the new user.', schema: SignedIn },
    403: { description: 'Sign-up is disabled in this installation.', schema: ErrorBody },
    409: { description: 'The email address is already registered.', schema: ErrorBody },
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
  description: 'Starts a session and returns its token.',
  body: LoginRequest,
  answers: {
    200: { description: 'The session.', schema: SignedIn },
    401: { description: 'Wrong email or password.', schema: ErrorBody },
    429: tooOften,
  },
});

export const logOut = route({
  method: 'post',
  path: '/auth/logout',
  id: 'logOut',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Sign out',
  description: 'Ends the session of the token in the request, on all processes at once.',
  answers: {
    200: { description: 'Confirmation.', schema: SignedOut },
    400: { description: 'The request has an API key, which has no session.', schema: ErrorBody },
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
  scope: 'admin',
  summary: 'Update the onboarding state',
  description: 'Changes the state of the calling user.',
  body: UpdateOnboardingRequest,
  answers: { 200: { description: 'The state.', schema: OnboardingState } },
});
