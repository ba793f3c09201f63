import { IsNull, LessThanOrEqual } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PhoneDeps } from './deps.ts';
import { openAccount } from '../accounts/open-account.ts';
import { unlessGone } from './internal.ts';
import { noteLegOver } from './legs.ts';

/** The time between attempts, in which no other process attempts it. */
const attemptMs = 10_000;

/**
 * Hangs up a live leg that its call has given up: its dial's answer was lost, or it could not be hung up in
 * time. All processes together make at most one attempt every ten seconds, and none once the leg is over.
 * Answers `waits` if the next attempt is not due. Throws the carrier's error if the attempt fails.
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
    updateRows(tx, phoneLegs, { where, change: { hangUpFrom: new Date(now.getTime() + attemptMs) } }),
  );
  if (claimed !== 1) return 'waits';
  const { carrier } = await openAccount(deps, leg);
  await unlessGone(carrier.hangUp({ callControlId, commandId: `${reference}.hangup.given-up` }));
  await inTransaction(deps.db, (tx) => noteLegOver(tx, leg, deps.clock.now()));
  return 'ended';
}
