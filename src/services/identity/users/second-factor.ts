import type {
  ConfirmSecondFactorRequest,
  BeginSecondFactorRequest,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
  TurnOffSecondFactorRequest,
} from '../../../contract/users.ts';
import { deleteRows, findRow, updateRows, upsertRows } from '../../../db/rows.ts';
import { secondFactors } from '../../../db/tables/second-factors.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { authenticatorUri, newRecoveryCodes, newSecret } from '../../../domain/people/one-time-codes.ts';
import { actingUserId, appendAudit, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';
import { requirePassword } from './change-password.ts';
import {
  countingCode,
  hashRecoveryCode,
  lockSecondFactor,
  secondFactorPlace,
  useCode,
  wrongCode,
} from './codes.ts';
import type { SignInDeps } from './deps.ts';
import { endSessions, ownSession } from './sessions.ts';

/** Whether the calling user signs in with codes. Throws PreconditionError (400) for an API key. */
export async function getSecondFactor({ ctx }: { ctx: ServiceContext }): Promise<SecondFactor> {
  ownSession(ctx);
  const factor = await findRow(ctx.db, secondFactors, { userId: actingUserId(ctx) });
  if (factor === null || factor.onSince === null) return off;
  return {
    on_since: wireTimestamp(factor.onSince),
    recovery_codes_left: factor.recoveryHashes.length,
  };
}

const off: SecondFactor = { on_since: null, recovery_codes_left: 0 };

/**
 * Makes the secret of an authenticator app, in place of one that was not confirmed. Nothing is demanded yet. Throws
 * PreconditionError if codes are on, and as `requirePassword`.
 */
export async function beginSecondFactor({
  ctx,
  network,
  input,
  deps,
}: {
  ctx: ServiceContext;
  network: string;
  input: BeginSecondFactorRequest;
  deps: Pick<SignInDeps, 'limits' | 'passwords'>;
}): Promise<NewSecondFactor> {
  const { id: userId, email } = await requirePassword({ ctx, network, password: input.password, deps });
  const secret = newSecret(ctx.ids);
  return await write(ctx, async (tx) => {
    const factor = await lockSecondFactor(tx, userId);
    if (factor !== null && factor.onSince !== null) throw alreadyOn();
    const secretEncrypted = ctx.secrets.seal(secret, secondFactorPlace(userId));
    await upsertRows(tx, secondFactors, [
      { userId, secretEncrypted, onSince: null, lastStep: null, recoveryHashes: [] },
    ]);
    await appendAudit(tx, {
      action: 'user.second_factor_begun',
      subjectKind: 'user',
      subjectId: userId,
    });
    return { secret, uri: authenticatorUri({ secret, email }) };
  });
}

/**
 * Turns codes on with a first code, and ends the user's other sessions, which began without one. Throws
 * PreconditionError if there is nothing to confirm, and (400) for a wrong code and an API key, and LimitError.
 */
export async function confirmSecondFactor({
  ctx,
  input: { code },
  deps: { limits },
}: {
  ctx: ServiceContext;
  input: ConfirmSecondFactorRequest;
  deps: Pick<SignInDeps, 'limits'>;
}): Promise<RecoveryCodes> {
  const sessionId = ownSession(ctx);
  const userId = actingUserId(ctx);
  const codes = newRecoveryCodes(ctx.ids);
  const confirm = () =>
    write(ctx, async (tx) => {
      const factor = await lockSecondFactor(tx, userId);
      if (factor === null) throw new PreconditionError('Ask for a secret first');
      if (factor.onSince !== null) throw alreadyOn();
      if (!(await useCode(tx, ctx, { factor, code }))) throw refusedCode();
      const change = { onSince: ctx.clock.now(), recoveryHashes: codes.map(hashRecoveryCode) };
      await updateRows(tx, secondFactors, { where: { userId }, change });
      // guarantee: second-factor-ends-other-sessions
      const ended = await endSessions(tx, ctx, { userId, except: sessionId });
      await appendAudit(tx, {
        action: 'user.second_factor_turned_on',
        subjectKind: 'user',
        subjectId: userId,
        changes: { endedSessions: ended },
      });
      return { recovery_codes: codes, ended };
    });
  return await countingCode(limits, { userId, code }, confirm);
}

/**
 * Turns codes off. Throws PreconditionError if they are off, and (400) for a wrong code, as `requirePassword`, and
 * LimitError.
 */
export async function turnOffSecondFactor({
  ctx,
  network,
  input: { password, code },
  deps,
}: {
  ctx: ServiceContext;
  network: string;
  input: TurnOffSecondFactorRequest;
  deps: Pick<SignInDeps, 'limits' | 'passwords'>;
}): Promise<SecondFactor> {
  const { id: userId } = await requirePassword({ ctx, network, password, deps });
  const turnOff = () =>
    write(ctx, async (tx) => {
      const factor = await lockSecondFactor(tx, userId);
      if (factor === null || factor.onSince === null) throw new PreconditionError('Codes are off already');
      // guarantee: second-factor-off-needs-code
      if (!(await useCode(tx, ctx, { factor, code }))) throw refusedCode();
      await deleteRows(tx, secondFactors, { userId });
      await appendAudit(tx, {
        action: 'user.second_factor_turned_off',
        subjectKind: 'user',
        subjectId: userId,
      });
      return off;
    });
  return await countingCode(deps.limits, { userId, code }, turnOff);
}

const alreadyOn = () => new PreconditionError('Codes are on already: turn them off first');
const refusedCode = () => new PreconditionError(wrongCode, { status: 400 });
