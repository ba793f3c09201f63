import type { OnboardingState, UpdateOnboardingRequest } from '../../../contract/users.ts';
import { getRow, updateRows } from '../../../db/rows.ts';
import { users } from '../../../db/tables/users.ts';
import { appendAudit, actingUserId, type ServiceContext, write } from '../../kernel/index.ts';
import { actingUser } from './get.ts';

const untouched: OnboardingState = {
  completed_at: null,
  skipped: false,
  seen_tooltips: [],
  completed_actions: [],
};

/** The onboarding progress of the calling user (contract 13.2). */
export async function getOnboardingState({ ctx }: { ctx: ServiceContext }): Promise<OnboardingState> {
  return { ...untouched, ...(await actingUser(ctx)).onboardingState };
}

/** Changes the given fields. */
export async function updateOnboardingState({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: UpdateOnboardingRequest;
}): Promise<OnboardingState> {
  const where = { id: actingUserId(ctx) };
  return await write(ctx, async (tx) => {
    const row = await getRow(tx, users, where, { isLocked: true });
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const before: OnboardingState = { ...untouched, ...row.onboardingState };
    const onboardingState: OnboardingState = { ...before, ...given };
    await updateRows(tx, users, { where, change: { onboardingState } });
    await appendAudit(tx, {
      action: 'user.onboarding_changed',
      subjectKind: 'user',
      subjectId: row.id,
      states: { before, after: onboardingState },
    });
    return onboardingState;
  });
}
