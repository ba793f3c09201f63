import { ForbiddenError } from '../../domain/errors.ts';
import { agentName } from '../../domain/person/agent-name.ts';
import { networkOf } from '../../domain/person/network-of.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  endOtherSessions,
  endSession,
  getAuthUser,
  getMe,
  getOnboardingState,
  getSecondFactor,
  listSessions,
  logIn,
  logOut,
  signInByLink,
  signUp,
  turnOffSecondFactor,
  updateOnboardingState,
  type SignInDeps,
  type VisitorContext,
} from '../../services/identity/index.ts';
import type { Client, Handlers } from '../bind.ts';

type UserRoute =
  | 'signUp'
  | 'logIn'
  | 'signInByLink'
  | 'logOut'
  | 'changePassword'
  | 'listSessions'
  | 'endSession'
  | 'endOtherSessions'
  | 'getSecondFactor'
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'turnOffSecondFactor'
  | 'getMe'
  | 'getAuthUser'
  | 'getOnboardingState'
  | 'updateOnboardingState';

export interface UserRouteDeps {
  signIn: SignInDeps;
  isSignupEnabled: boolean;
  /** The context of a request without a caller. */
  visitorContext: (requestId: string) => Omit<VisitorContext, 'network' | 'userAgent'>;
}

/** The context of a request without a caller, with what is known of its client. */
export const visitorOf =
  (visitorContext: UserRouteDeps['visitorContext']) =>
  ({ address, userAgent, requestId }: Client): VisitorContext => ({
    ...visitorContext(requestId),
    network: networkOf(address),
    userAgent: agentName(userAgent),
  });

/** Users and their sessions (contract 13.2). */
export function userHandlers({
  signIn: deps,
  isSignupEnabled,
  visitorContext,
}: UserRouteDeps): Pick<Handlers<ServiceContext>, UserRoute> {
  const visitor = visitorOf(visitorContext);
  return {
    signUp: async ({ client, input: { body } }) => {
      if (!isSignupEnabled) throw new ForbiddenError('Signup is disabled');
      return await signUp({ ctx: visitor(client), input: body, deps });
    },
    logIn: ({ client, input: { body } }) => logIn({ ctx: visitor(client), input: body, deps }),
    signInByLink: ({ client, input: { body } }) => signInByLink({ ctx: visitor(client), input: body, deps }),
    logOut: ({ ctx }) => logOut({ ctx }),
    changePassword: ({ ctx, client, input: { body } }) =>
      changePassword({ ctx, network: networkOf(client.address), input: body, deps }),
    listSessions: ({ ctx }) => listSessions({ ctx, deps }),
    endSession: ({ ctx, input: { params } }) => endSession({ ctx, input: { sessionId: params.session_id } }),
    endOtherSessions: ({ ctx }) => endOtherSessions({ ctx }),
    getSecondFactor: ({ ctx }) => getSecondFactor({ ctx }),
    beginSecondFactor: ({ ctx, client, input: { body } }) =>
      beginSecondFactor({ ctx, network: networkOf(client.address), input: body, deps }),
    confirmSecondFactor: ({ ctx, input: { body } }) => confirmSecondFactor({ ctx, input: body, deps }),
    turnOffSecondFactor: ({ ctx, client, input: { body } }) =>
      turnOffSecondFactor({ ctx, network: networkOf(client.address), input: body, deps }),
    getMe: ({ ctx }) => getMe({ ctx }),
    getAuthUser: ({ ctx }) => getAuthUser({ ctx }),
    getOnboardingState: ({ ctx }) => getOnboardingState({ ctx }),
    updateOnboardingState: ({ ctx, input: { body } }) => updateOnboardingState({ ctx, input: body }),
  };
}
