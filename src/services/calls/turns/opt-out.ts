import type { EntityManager } from 'typeorm';
import { getRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { optOutOf, type OptOut } from '../../../domain/call/opt-out.ts';
import { personNumber } from '../../../domain/call/person-number.ts';
import { appendAudit, type CallRef, type WriteContext, onBehalfOf } from '../../kernel/index.ts';
import { suppress } from '../../contacts/index.ts';
import type { ConversationDeps } from './deps.ts';

/** The source that the suppression list shows. */
const sources = { do_not_call: 'call', wrong_number: 'wrong_number' } as const;

/**
 * Suppresses the number of a call's person, who opted out or is not the person we look for. From the commit
 * on no campaign dials the number, and the call's gathered context says so. It is idempotent. Returns false
 * when the call has no number that can be dialed.
 */
export async function noteOptOut({
  deps,
  input,
}: {
  deps: Pick<ConversationDeps, 'db' | 'clock' | 'ids'>;
  input: CallRef & { optOut: OptOut };
}): Promise<boolean> {
  const { callId: id, organizationId, optOut } = input;
  return await inTransaction(deps.db, async (tx) => {
    const call = await getRow(tx, calls, { id, organizationId }, { isLocked: true });
    const isHonored = await honor(tx, { deps, call, optOut });
    if (isHonored)
      await updateRows(tx, calls, {
        where: { id, organizationId },
        change: { gatheredContext: { ...call.gatheredContext, [optOut]: true } },
      });
    return isHonored;
  });
}

/**
 * Suppresses the number when the gathered context of an ended call has an opt-out, in the transaction that
 * completes the call's record.
 */
export async function honorOptOut(
  tx: EntityManager,
  { deps, call }: { deps: Pick<ConversationDeps, 'clock' | 'ids'>; call: CallRow },
): Promise<void> {
  const optOut = optOutOf(call.gatheredContext);
  if (optOut !== null) await honor(tx, { deps, call, optOut });
}

async function honor(
  tx: EntityManager,
  {
    deps: { clock, ids },
    call,
    optOut,
  }: { deps: Pick<ConversationDeps, 'clock' | 'ids'>; call: CallRow; optOut: OptOut },
): Promise<boolean> {
  const phone = personNumber(call);
  if (phone === null) return false;
  const { id: callId, organizationId } = call;
  // guarantee: opt-out-applies-during-call
  const { added, targets } = await suppress(tx, {
    organizationId,
    phones: [phone],
    source: sources[optOut],
    reason: '',
    callId,
    createdByUserId: null,
    at: clock.now(),
  });
  const ctx: WriteContext = { organizationId, actor: { kind: 'system', name: 'call' }, clock, ids };
  if (added > 0)
    await appendAudit(onBehalfOf(tx, ctx), {
      action: 'suppressions.added',
      subjectKind: 'call',
      subjectId: callId,
      changes: { because: optOut, suppressed_targets: targets },
    });
  return true;
}
