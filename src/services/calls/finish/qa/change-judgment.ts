import type { DataSource, EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../../db/rows.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { addCosts } from '../../../../domain/call/cost.ts';
import { NotFoundError } from '../../../../domain/errors.ts';
import type { JsonObject } from '../../../../domain/graph/definition.ts';
import { addTokens, isTokens, type TokensByModel } from '../../turns/usage.ts';
import { requireKept } from '../../records/require-kept.ts';
import type { CallRef } from '../../../kernel/index.ts';

export interface JudgmentChange {
  annotations: (before: JsonObject) => JsonObject;
  /** Added to the call's usage. */
  tokens?: TokensByModel;
  /** Cost of these tokens to the operator; null = unknown. */
  costUsd?: number | null;
}

/**
 * Changes the judgments of a call under the lock of its row, because several QA nodes judge at once. Returns
 * the changed annotations. Throws PreconditionError for a call that was erased.
 */
export async function changeJudgment({
  db,
  ref,
  change,
}: {
  db: DataSource;
  ref: CallRef;
  change: JudgmentChange;
}): Promise<JsonObject> {
  return await inTransaction(db, (tx) => changeWithin(tx, { ref, change }));
}

/** `changeJudgment` inside the caller's transaction. */
export async function changeWithin(
  tx: EntityManager,
  { ref: { callId: id, organizationId }, change }: { ref: CallRef; change: JudgmentChange },
): Promise<JsonObject> {
  const call = await findRow(tx, calls, { id, organizationId }, { isLocked: true });
  if (call === null) throw new NotFoundError('The call does not exist');
  requireKept(call);
  const annotations = change.annotations(call.annotations);
  await updateRows(tx, calls, {
    where: { id, organizationId },
    change: { annotations, ...withTokens(call, change) },
  });
  return annotations;
}

function withTokens(
  { usage, costUsd: before }: CallRow,
  { tokens, costUsd = 0 }: JudgmentChange,
): Partial<CallRow> {
  if (tokens === undefined) return {};
  return {
    usage: { ...usage, llm: addTokens([isTokens(usage['llm']) ? usage['llm'] : {}, tokens]) },
    costUsd: addCosts(before, costUsd),
  };
}
