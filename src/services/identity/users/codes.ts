import type { EntityManager } from 'typeorm';
import { findRow, getRow, updateRows } from '../../../db/rows.ts';
import { secondFactors, type SecondFactorRow } from '../../../db/tables/second-factors.ts';
import { users } from '../../../db/tables/users.ts';
import { CodeNeededError, UnauthenticatedError } from '../../../domain/errors.ts';
import { readCode, stepOfCode } from '../../../domain/people/one-time-codes.ts';
import type { SecretPlace } from '../../../providers/secrets/port.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';
import type { SignInLimits } from './deps.ts';

export const secondFactorPlace = (userId: number): SecretPlace => ({
  table: 'second_factors',
  column: 'secret_encrypted',
  userId,
});

export const wrongCode = 'The code is wrong, or was used already';

/**
 * Does what a code lets somebody do. Counts the code before it is checked, and forgets the count once it was right: no
 * right password does, so that who knows the password gets no more guesses by it. Throws LimitError.
 */
export async function countingCode<T>(
  limits: SignInLimits,
  { userId, code }: { userId: number; code: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  // guarantee: ten-wrong-codes-block-account
  if (code !== undefined) await limits.codes.count(String(userId));
  const done = await work();
  if (code !== undefined) await limits.codes.forget(String(userId));
  return done;
}

/** The second factor of a user, or null. Locks the user, so that a code is not used twice at once. */
export async function lockSecondFactor(tx: EntityManager, userId: number): Promise<SecondFactorRow | null> {
  await getRow(tx, users, { id: userId }, { isLocked: true, select: ['id'] });
  return await findRow(tx, secondFactors, { userId });
}

type Checking = Pick<ServiceContext, 'secrets' | 'clock'>;

/**
 * Uses up a code of a user who has turned codes on; for every other user it does nothing. Throws CodeNeededError
 * without a code, and UnauthenticatedError for a wrong or used one.
 */
export async function demandCode(
  tx: Write,
  ctx: Checking,
  { userId, code }: { userId: number; code: string | undefined },
): Promise<void> {
  const factor = await lockSecondFactor(tx, userId);
  // guarantee: second-factor-is-demanded
  if (factor === null || factor.onSince === null) return;
  if (code === undefined) throw new CodeNeededError();
  if (!(await useCode(tx, ctx, { factor, code }))) throw new UnauthenticatedError(wrongCode);
}

/** Uses a code up. False if it is wrong or was used. */
export async function useCode(
  tx: Write,
  { secrets, clock }: Checking,
  { factor, code: typed }: { factor: SecondFactorRow; code: string },
): Promise<boolean> {
  const { userId, secretEncrypted, lastStep } = factor;
  const { kind, code } = readCode(typed);
  if (kind === 'recovery') return await useRecoveryCode(tx, factor, code);
  const secret = secrets.open(secretEncrypted, secondFactorPlace(userId));
  const step = stepOfCode({ secret, code, now: clock.now() });
  // guarantee: one-time-code-works-once
  if (step === null || step <= (lastStep ?? 0)) return false;
  await updateRows(tx, secondFactors, { where: { userId }, change: { lastStep: step } });
  return true;
}

async function useRecoveryCode(
  tx: Write,
  { userId, recoveryHashes }: SecondFactorRow,
  code: string,
): Promise<boolean> {
  const hash = hashRecoveryCode(code);
  // guarantee: recovery-code-works-once
  const left = recoveryHashes.filter((each) => each !== hash);
  if (!recoveryHashes.includes(hash)) return false;
  await updateRows(tx, secondFactors, { where: { userId }, change: { recoveryHashes: left } });
  await appendAudit(tx, {
    action: 'user.recovery_code_used',
    subjectKind: 'user',
    subjectId: userId,
    changes: { left: left.length },
  });
  return true;
}

/** The stored hash of a recovery code. */
export const hashRecoveryCode = (code: string): string => hashKey(readCode(code).code);
