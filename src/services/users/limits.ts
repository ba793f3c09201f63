import type { DataSource } from 'typeorm';
import { createAttemptLimiter } from '../../db/attempt-limiter.ts';
import type { SignInLimits } from './deps.ts';

const quarterSeconds = 900;

/** Ten wrong passwords for an account, a hundred from a network, in a quarter of an hour; ten times signing up in an hour. */
export function createSignInLimits(db: DataSource): SignInLimits {
  return {
    account: createAttemptLimiter(db, { what: 'login_account', most: 10, windowSeconds: quarterSeconds }),
    network: createAttemptLimiter(db, { what: 'login_network', most: 100, windowSeconds: quarterSeconds }),
    signup: createAttemptLimiter(db, { what: 'signup_network', most: 10, windowSeconds: 4 * quarterSeconds }),
  };
}
