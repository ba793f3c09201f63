import type { SignInLimits } from './deps.ts';

/** An attempt at the password of an account. */
interface Attempt {
  email: string;
  network: string;
}

/**
 * Counts an attempt before its password is checked, so that concurrent attempts get no further than
 * sequential ones. Counts for unknown accounts, too. Throws LimitError.
 */
export async function countAttempt(limits: SignInLimits, attempt: Attempt): Promise<void> {
  await limits.network.count(attempt.network);
  // guarantee: ten-wrong-passwords-block-network
  await limits.accountFromNetwork.count(fromHere(attempt));
  await limits.account.count(attempt.email);
}

/** Removes an attempt whose password was correct, and the earlier ones at its account. */
export async function forgiveAttempt(limits: SignInLimits, attempt: Attempt): Promise<void> {
  await limits.accountFromNetwork.forget(fromHere(attempt));
  await limits.account.forget(attempt.email);
  await limits.network.forgive(attempt.network);
}

// guarantee: password-limit-is-per-network
const fromHere = ({ email, network }: Attempt): string => [email, network].join(' from ');
