export { authenticateSession } from './authenticate.ts';
export type { SignInDeps, VisitorContext } from './deps.ts';
export { getAuthUser, getMe } from './get.ts';
export { createSignInLimits } from './limits.ts';
export { logIn } from './log-in.ts';
export { logOut } from './log-out.ts';
export { getOnboardingState, updateOnboardingState } from './onboarding.ts';
export { signUp } from './sign-up.ts';
