import type { DataSource } from 'typeorm';
import { createAttemptLimiter } from '../../../db/attempt-limiter.ts';
import type { SignInLimits } from './deps.ts';

const quarterSeconds = 900;

/**
 * Limits within a quarter of an hour: ten wrong passwords for an account from one network, so that an
 * attacker locks out only their own network; fifty for an account from all networks; a hundred from one
 * network. Ten sign-ups within an hour.
 */
export function createSignInLimits(db: DataSource): SignInLimits {
  return {
    accountFromNetwork: createAttemptLimiter(db, {
      what: 'login_pair',
      max: 10,
      windowSeconds: quarterSeconds,
    }),
    account: createAttemptLimiter(db, { what: 'login_account', max: 50, windowSeconds: quarterSeconds }),
    network: createAttemptLimiter(db, { what: 'login_network', max: 100, windowSeconds: quarterSeconds }),
    signup: createAttemptLimiter(db, { what: 'signup_network', max: 10, windowSeconds: 4 * quarterSeconds }),
  };
}
