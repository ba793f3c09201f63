import type { AttemptLimiter } from '../../../db/attempt-limiter.ts';
import type { PasswordHasher } from '../../../providers/passwords/port.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { SessionTokens } from '../../../providers/secrets/session-tokens.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Whoever signs in or up belongs to no organization yet. */
export type VisitorContext = Omit<ServiceContext, 'organizationId' | 'actor'> & {
  /** The network that the request comes from. */
  network: string;
};

export interface SignInDeps {
  passwords: PasswordHasher;
  tokens: SessionTokens;
  secrets: SecretBox;
  limits: SignInLimits;
}

export interface SignInLimits {
  /** Refused sign-ins to one account from one network. */
  accountFromNetwork: AttemptLimiter;
  /** Refused sign-ins to one account, wherever they come from. */
  account: AttemptLimiter;
  /** Refused sign-ins from one network, to whatever account. */
  network: AttemptLimiter;
  /** Signing up from one network. */
  signup: AttemptLimiter;
}
