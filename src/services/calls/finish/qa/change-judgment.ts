import type { DataSource, EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../../db/rows.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { addCosts } from '../../../../domain/call/cost.ts';
import { NotFoundError, PreconditionError } from '../../../../domain/errors.ts';
import type { JsonObject } from '../../../../domain/graph/definition.ts';
import { isOpen } from '../../../../domain/qa/judging.ts';
import { addTokens, isTokens, type TokensByModel } from '../../turns/usage.ts';
import { requireKept } from '../../records/require-kept.ts';
import type { CallRef } from '../../../kernel/index.ts';

/** A judgment that was asked for after the call's own. */
export interface Again {
  /** Its number among those of the call. */
  number: number;
  /** The version whose QA nodes judge. */
  versionId: number;
}

/** Whose judgments change: the call's own, or those of a judgment that was asked for later. */
export interface JudgmentRef extends CallRef {
  again?: Again;
}

export interface JudgmentChange {
  annotations: (before: JsonObject) => JsonObject;
  /** Added to the call's usage. */
  tokens?: TokensByModel;
  /** Cost of these tokens to the operator; null = unknown. */
  costUsd?: number | null;
}

/**
 * Changes the judgments of a call under the lock of its row, because several QA nodes judge at once. Returns
 * the changed annotations. Throws PreconditionError for a call that was erased, and for a judgment that was
 * asked for and is over.
 */
export async function changeJudgment({
  db,
  ref,
  change,
}: {
  db: DataSource;
  ref: JudgmentRef;
  change: JudgmentChange;
}): Promise<JsonObject> {
  return await inTransaction(db, (tx) => changeWithin(tx, { ref, change }));
}

/** `changeJudgment` inside the caller's transaction. */
export async function changeWithin(
  tx: EntityManager,
  { ref: { callId: id, organizationId, again }, change }: { ref: JudgmentRef; change: JudgmentChange },
): Promise<JsonObject> {
  const call = await findRow(tx, calls, { id, organizationId }, { isLocked: true });
  if (call === null) throw new NotFoundError('The call does not exist');
  requireKept(call);
  const { annotations, row } = applied(call, again, change.annotations);
  await updateRows(tx, calls, {
    where: { id, organizationId },
    change: { ...row, ...withTokens(call, change) },
  });
  return annotations;
}

/** The results so far of the judgment; undefined when it is over. */
export function resultsSoFar(
  { annotations, judging }: CallRow,
  again: Again | undefined,
): JsonObject | undefined {
  if (again === undefined) return annotations;
  return isOpen(judging, again.number) ? judging.draft : undefined;
}

function applied(
  { annotations: own, judging }: CallRow,
  again: Again | undefined,
  change: JudgmentChange['annotations'],
): { annotations: JsonObject; row: Partial<CallRow> } {
  if (again === undefined) {
    // A late answer to the call's own judgment does not change the one that replaced it.
    const annotations = judging === null || judging.last === null ? change(own) : own;
    return { annotations, row: { annotations } };
  }
  if (!isOpen(judging, again.number)) throw new PreconditionError('The judgment is over');
  const draft = change(judging.draft);
  return { annotations: draft, row: { judging: { ...judging, draft } } };
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
