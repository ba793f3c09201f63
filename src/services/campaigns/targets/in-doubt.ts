import { In, IsNull, LessThan, Not, type DataSource } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import type { Clock } from '../../../runtime/clock.ts';

interface DoubtDeps {
  db: DataSource;
  clock: Clock;
}

/**
 * Those of these calls that were dialed and whose carrier has not reported the result. They hold their lines
 * until it does.
 */
export async function callsInDoubt(
  { db, clock }: DoubtDeps,
  { organizationId, callIds }: { organizationId: number; callIds: readonly number[] },
): Promise<Set<number>> {
  if (callIds.length === 0) return new Set();
  const before = new Date(clock.now().getTime() - timeoutsMs.carrierCommandStartToClose);
  const legs = await findRows(
    db,
    phoneLegs,
    {
      organizationId,
      callId: In([...callIds]),
      role: 'main',
      dialedAt: LessThan(before),
      callControlId: IsNull(),
      state: Not('ended'),
      hangUpFrom: IsNull(),
    },
    { select: ['callId'] },
  );
  return new Set(legs.map(({ callId }) => callId));
}

/** Whether a campaign has calls, and all of them are in doubt. */
export async function areAllInDoubt(
  deps: DoubtDeps,
  { campaignId, organizationId }: { campaignId: number; organizationId: number },
): Promise<boolean> {
  const targets = await findRows(
    deps.db,
    campaignTargets,
    { campaignId, organizationId, state: 'processing' },
    { select: ['callId'] },
  );
  const callIds = targets.flatMap(({ callId }) => (callId === null ? [] : [callId]));
  return (
    callIds.length > 0 && (await callsInDoubt(deps, { organizationId, callIds })).size === callIds.length
  );
}
