import type { DataSource } from 'typeorm';
import { createAttemptLimiter } from '../../../db/attempt-limiter.ts';
import type { SignInLimits } from './deps.ts';

const quarterSeconds = 900;

/**
 * Limits within a quarter of an hour: ten wrong passwords for an account from one network, so that an
 * attacker locks out only their own network; fifty for an account from all networks; a hundred from one
 * network; ten wrong codes, which only somebody with the password can send. `maxSignupsPerHour` sign-ups from one network within an hour.
 */
export function createSignInLimits(
  db: DataSource,
  { maxSignupsPerHour }: { maxSignupsPerHour: number },
): SignInLimits {
  return {
    accountFromNetwork: createAttemptLimiter(db, {
      what: 'login_pair',
      named: 'password attempts at one account from one network',
      max: 10,
      windowSeconds: quarterSeconds,
    }),
    account: createAttemptLimiter(db, {
      what: 'login_account',
      named: 'password attempts at one account',
      max: 50,
      windowSeconds: quarterSeconds,
    }),
    network: createAttemptLimiter(db, {
      what: 'login_network',
      named: 'password attempts from one network',
      max: 100,
      windowSeconds: quarterSeconds,
    }),
    codes: createAttemptLimiter(db, {
      what: 'login_code',
      named: 'wrong codes for one account',
      max: 10,
      windowSeconds: quarterSeconds,
    }),
    signup: createAttemptLimiter(db, {
      what: 'signup_network',
      named: 'sign-ups from one network',
      max: maxSignupsPerHour,
      windowSeconds: 4 * quarterSeconds,
    }),
  };
}
