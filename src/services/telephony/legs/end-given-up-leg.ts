import { IsNull, LessThanOrEqual } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PhoneDeps } from './deps.ts';
import { openLine } from '../accounts/open-line.ts';
import { unlessGone } from './internal.ts';
import { noteLegOver } from './legs.ts';

/** Nobody else tries meanwhile, and a try that failed is made again after it. */
const tryMs = 10_000;

/**
 * Hangs up a leg that its call has given up and that turned out to live: a dial whose answer was lost, or a
 * line that could not be hung up in time. At most one try every ten seconds, whoever hears of it, and none
 * once it is over. `waits`: it is still to be tried, or somebody is trying. Throws what the carrier answers
 * to a try that failed.
 */
export async function endGivenUpLeg({
  deps,
  leg,
  callControlId,
}: {
  deps: Pick<PhoneDeps, 'db' | 'clock' | 'secrets' | 'accounts'>;
  leg: PhoneLegRow;
  callControlId: string;
}): Promise<'ended' | 'waits'> {
  const { id, organizationId, reference } = leg;
  const now = deps.clock.now();
  const where = { id, organizationId, endedAt: IsNull(), hangUpFrom: LessThanOrEqual(now) };
  const claimed = await inTransaction(deps.db, (tx) =>
    updateRows(tx, phoneLegs, { where, change: { hangUpFrom: new Date(now.getTime() + tryMs) } }),
  );
  if (claimed !== 1) return 'waits';
  const { carrier } = await openLine(deps, leg);
  await unlessGone(carrier.hangUp({ callControlId, commandId: `${reference}.hangup.given-up` }));
  await inTransaction(deps.db, (tx) => noteLegOver(tx, leg, deps.clock.now()));
  return 'ended';
}
