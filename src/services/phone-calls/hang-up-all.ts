import { findRows } from '../../db/rows.ts';
import { phoneLegs } from '../../db/tables/phone-legs.ts';
import type { CallRef } from '../conversation/index.ts';
import type { PhoneDeps } from './deps.ts';
import { openLine } from './internal.ts';

/**
 * Hangs up every line of a call that nothing runs any more; one that is over stays over. Tried once: the carrier's own limit ends what this could
 * not. Never throws for what a carrier says.
 */
export async function hangUpAll({ deps, input: { callId, organizationId } }: { deps: Pick<PhoneDeps, 'db' | 'secrets' | 'accounts' | 'log'>; input: CallRef }): Promise<void> {
  for (const { id, configurationId, callControlId, reference } of await findRows(deps.db.manager, phoneLegs, { callId, organizationId })) {
    if (callControlId === null) continue;
    try {
      const { carrier } = await openLine(deps, { organizationId, configurationId });
      await carrier.hangUp({ callControlId, commandId: `${reference}.hangup.stray` });
    } catch (error) {
      deps.log.warn({ callId, organizationId, legRowId: id, pii: { error } }, 'A line of a call that nothing runs could not be hung up');
    }
  }
}
