import { findRows } from '../../../db/rows.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { PhoneDeps } from './deps.ts';
import { openAccount } from '../accounts/open-account.ts';
import { unlessGone } from './internal.ts';
import { noteLegOver } from './legs.ts';

/**
 * Hangs up every leg of an orphaned call, in one attempt per leg. If it fails, the leg's next event leads to
 * another attempt (`endGivenUpLeg`), or the carrier's own limit ends the leg. Never throws a carrier's error.
 */
export async function hangUpAll({
  deps,
  input: { callId, organizationId },
}: {
  deps: Pick<PhoneDeps, 'db' | 'clock' | 'secrets' | 'accounts' | 'log'>;
  input: CallRef;
}): Promise<void> {
  for (const { id, configurationId, callControlId, reference } of await findRows(deps.db.manager, phoneLegs, {
    callId,
    organizationId,
  })) {
    if (callControlId === null) continue;
    try {
      const { carrier } = await openAccount(deps, { organizationId, configurationId });
      await unlessGone(carrier.hangUp({ callControlId, commandId: `${reference}.hangup.orphaned` }));
      await inTransaction(deps.db, (tx) => noteLegOver(tx, { id, organizationId }, deps.clock.now()));
    } catch (error) {
      deps.log.warn(
        { callId, organizationId, legRowId: id, pii: { error } },
        'A leg of an orphaned call could not be hung up',
      );
    }
  }
}
