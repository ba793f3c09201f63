import { existsRow, getRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { appendAudit, type CallRef, write } from '../../kernel/index.ts';
import { prepareWithin, type ConversationDeps, leaveUnjudged } from '../../calls/index.ts';
import { reconcilerOf } from './internal.ts';

/**
 * Renders the webhooks of a call that ended without them, from its present record: they lack what its
 * Workflow would still have added. The pump sends them. A repeated run changes nothing. A call whose values
 * were erased has none.
 */
export async function prepareUnsent({
  deps,
  input,
}: {
  deps: ConversationDeps;
  input: CallRef;
}): Promise<void> {
  const { callId, organizationId } = input;
  await write(reconcilerOf(deps, organizationId), async (tx) => {
    const { variablesErasedAt } = await getRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
    if (variablesErasedAt !== null) return;
    const isPrepared = await existsRow(tx, deliveries, { callId, organizationId });
    if (!isPrepared) await leaveUnjudged(tx, input);
    const count = await prepareWithin(tx, { deps, input: { callId, organizationId } });
    if (!isPrepared)
      await appendAudit(tx, {
        action: 'call.webhooks_handed_over',
        subjectKind: 'call',
        subjectId: callId,
        changes: { count },
      });
  });
  deps.pump?.wake();
}
