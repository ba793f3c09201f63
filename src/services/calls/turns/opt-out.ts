import type { EntityManager } from 'typeorm';
import { getRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { optOutOf, type OptOut } from '../../../domain/call/opt-out.ts';
import { personNumber } from '../../../domain/call/person-number.ts';
import { appendAudit, type CallRef, type WriteContext, onBehalfOf } from '../../kernel/index.ts';
import { suppress } from '../../contacts/index.ts';
import type { ConversationDeps } from './deps.ts';

/** Whose number it is shows in the list of suppressed numbers by this. */
const sources = { do_not_call: 'call', wrong_number: 'wrong_number' } as const;

/**
 * The person of a call does not want to be called again, or is not whom we look for: from the commit on no
 * campaign dials their number, and the call itself says so in its gathered context. Asked again it changes
 * nothing. False where the conversation has no number that can be dialed.
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

/** The same by what was learned in a call that is over, in the transaction that completes its record. */
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
  // guarantee: says-call-they-do
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
