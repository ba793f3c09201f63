import type { EntityManager } from 'typeorm';
import type { DialingSwitch } from '../../../contract/dialing.ts';
import { updateRows } from '../../../db/rows.ts';
import { dialPolicies, type DialPolicyRow } from '../../../db/tables/dial-policies.ts';
import { appendAudit, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import { lockPolicy } from './lock-policy.ts';
import { readSwitch } from './read-switch.ts';

/**
 * Stops dialing: after the commit no campaign of the organization claims or dials a row. Nothing else is
 * written, because every dialer checks the switch before each call. A repeated stop keeps the first
 * timestamp.
 */
export async function stopDialing({ ctx }: { ctx: ServiceContext }): Promise<DialingSwitch> {
  return await write(ctx, async (tx) => {
    const at = ctx.clock.now();
    const { stoppedAt } = await lockPolicy(tx, ctx.organizationId, at);
    if (stoppedAt === null)
      await turn(tx, ctx, {
        stoppedAt: at,
        stoppedByUserId: ctx.actor.kind === 'system' ? null : ctx.actor.userId,
      });
    return await recorded(tx, ctx, { action: 'dialing.stopped', wasSo: stoppedAt !== null });
  });
}

/** Resumes the organization's campaigns, unless the operator has stopped them. */
export async function resumeDialing({ ctx }: { ctx: ServiceContext }): Promise<DialingSwitch> {
  return await write(ctx, async (tx) => {
    const { stoppedAt } = await lockPolicy(tx, ctx.organizationId, ctx.clock.now());
    await turn(tx, ctx, { stoppedAt: null, stoppedByUserId: null });
    return await recorded(tx, ctx, { action: 'dialing.resumed', wasSo: stoppedAt === null });
  });
}

async function turn(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  change: Pick<DialPolicyRow, 'stoppedAt' | 'stoppedByUserId'>,
): Promise<void> {
  await updateRows(tx, dialPolicies, { where: { organizationId }, change });
}

/** Writes an audit event even if nothing changed, to record who used the switch, and when. */
async function recorded(
  tx: Write,
  ctx: ServiceContext,
  { action, wasSo }: { action: string; wasSo: boolean },
): Promise<DialingSwitch> {
  await appendAudit(tx, {
    action,
    subjectKind: 'organization',
    subjectId: ctx.organizationId,
    changes: { was_so: wasSo },
  });
  return await readSwitch(tx, ctx.organizationId);
}
