import { findRow, updateRows } from '../../../../db/rows.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { replaceJudgments } from '../../../../domain/qa/annotation.ts';
import { failed, isOpen, judged, type Judging } from '../../../../domain/qa/judging.ts';
import { appendAudit, type CallRef, write } from '../../../kernel/index.ts';
import type { ConversationDeps } from '../../turns/deps.ts';
import type { FinalizeDeps } from '../finalize-call.ts';
import type { Again } from './change-judgment.ts';
import type { JudgmentOutcome } from './judge-call.ts';

export interface CloseJudgingInput extends CallRef {
  again: Again;
  /** One for each QA node. */
  outcomes: JudgmentOutcome[];
}

/** How a judgment that was asked for ended; `over`: it was closed before, by an erasure for example. */
export type ClosedJudging = Exclude<Judging['state'], 'judging'> | 'over';

/**
 * Ends a judgment that was asked for, in one transaction: its results replace the former ones, or, if one of
 * its QA nodes failed, the former ones stay and the reason is kept. A repeated run does nothing.
 */
export async function closeJudging({
  deps,
  input: { callId, organizationId, again, outcomes },
}: {
  deps: Pick<ConversationDeps, 'db' | 'clock'> & Pick<FinalizeDeps, 'ids'>;
  input: CloseJudgingInput;
}): Promise<ClosedJudging> {
  const { db, clock, ids } = deps;
  const ctx = { db, clock, ids, organizationId, actor: { kind: 'system', name: 'quality' } } as const;
  return await write(ctx, async (tx) => {
    const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
    // guarantee: erased-call-stays-unjudged
    if (call === null || !isOpen(call.judging, again.number)) return 'over';
    // guarantee: former-judgment-stays
    const failure = outcomes.find((outcome) => outcome.kind === 'failed');
    const change =
      failure === undefined
        ? {
            annotations: replaceJudgments(call.annotations, call.judging.draft),
            judging: judged(call.judging, clock.now()),
          }
        : { judging: failed(call.judging, failure.error) };
    await updateRows(tx, calls, { where: { id: callId, organizationId }, change });
    await appendAudit(tx, {
      action: failure === undefined ? 'call.judged_again' : 'call.judgment_failed',
      subjectKind: 'call',
      subjectId: callId,
      changes: { number: again.number },
    });
    return failure === undefined ? 'judged' : 'failed';
  });
}
