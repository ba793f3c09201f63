import type { AttemptLimiter } from '../../../db/attempt-limiter.ts';
import type { PasswordHasher } from '../../../providers/passwords/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** The context of a visitor who signs in or up and has no organization yet. */
export type VisitorContext = Omit<ServiceContext, 'organizationId' | 'actor'> & {
  /** The network of the request. */
  network: string;
  /** Short name of the client (`agentName`). */
  userAgent: string | null;
};

export interface SignInDeps {
  passwords: PasswordHasher;
  tokens: SessionTokens;
  secrets: SecretBox;
  limits: SignInLimits;
  /** Time without a request after which a session expires. */
  sessionIdleMs: number;
}

export interface SignInLimits {
  /** Refused sign-ins to one account from one network. */
  accountFromNetwork: AttemptLimiter;
  /** Refused sign-ins to one account, from all networks. */
  account: AttemptLimiter;
  /** Refused sign-ins from one network, to all accounts. */
  network: AttemptLimiter;
  /** Codes for one account, from all networks, since one was right. */
  codes: AttemptLimiter;
  /** Sign-ups from one network. */
  signup: AttemptLimiter;
}
