import { callSummaries, type CallSummaryRow } from '../../../db/tables/call-summaries.ts';
import { calls } from '../../../db/tables/calls.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import { type Db, findRows, getRow, insertRow } from '../../../db/rows.ts';
import { linesToSummarize, summaryMessages } from '../../../domain/call/compaction.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { resolveLlm } from '../../models/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { requireKept } from '../records/require-kept.ts';
import { loadScene, type Scene, type SceneInput } from './scene.ts';
import { tokensOf } from './usage.ts';
import { askOnce, insertWaste } from './wasted.ts';

export interface SummarizeInput extends SceneInput {
  branch: number;
  /** Last committed turn. */
  turnIndex: number;
}

interface Summarizing {
  deps: ConversationDeps;
  input: SummarizeInput;
  signal: AbortSignal;
}

/**
 * Summarizes a long conversation (contract 3.2) with the agent's own model, on top of the previous summary.
 * Only prompts of later turns use the summary. Throws ProviderError when the model fails, PreconditionError
 * when the call was erased in the meantime; the call continues without it.
 */
export async function summarize({ deps, input, signal }: Summarizing): Promise<void> {
  const { callId, organizationId, branch, turnIndex } = input;
  const scene = await loadScene({ deps, input, through: { branch, turnIndex } });
  const lineCount = linesToSummarize(scene.lines.length);
  const earlier = await findSummary(deps.db, input, scene);
  if (lineCount <= (earlier?.lineCount ?? 0) || earlier?.turnIndex === turnIndex) return;

  const messages = summaryMessages({
    earlier: earlier?.text ?? null,
    lines: scene.lines.slice(earlier?.lineCount ?? 0, lineCount),
  });
  const by = await resolveLlm({ db: deps.db, deps, organizationId, agentSettings: scene.settings });
  const { usage: used, ...reply } = await askOnce({
    deps,
    by,
    ref: input,
    request: { messages, tools: [], timeouts: { wholeMs: timeoutsMs.summaryModel } },
    signal,
  });
  const text = reply.text.trim();
  const waste = () => insertWaste(deps.db.manager, { ref: input, usages: [used], at: deps.clock.now() });
  if (text === '') return await waste();
  const usage = { llm: tokensOf([used]) };
  try {
    await inTransaction(deps.db, async (tx) => {
      requireKept(await getRow(tx, calls, { id: callId, organizationId }, { isLocked: true }));
      await insertRow(tx, callSummaries, {
        organizationId,
        callId,
        branch,
        turnIndex,
        lineCount,
        text,
        usage,
        createdAt: deps.clock.now(),
      });
    });
  } catch (error) {
    if (!isDuplicate(error, 'uq_call_summaries_place')) throw error;
    await waste();
  }
}

/** The latest summary made after a live turn. Null when the agent's settings do not ask for summaries. */
export async function findSummary(
  db: Db,
  { callId, organizationId }: CallRef,
  { settings, turns }: Pick<Scene, 'settings' | 'turns'>,
): Promise<CallSummaryRow | null> {
  if (!settings.compactsContext) return null;
  const rows = await findRows(
    db,
    callSummaries,
    { callId, organizationId },
    { order: { turnIndex: 'DESC', branch: 'DESC' } },
  );
  const counts = ({ branch, turnIndex }: CallSummaryRow) =>
    turns.some((turn: TurnRow) => turn.branch === branch && turn.turnIndex === turnIndex);
  return rows.find(counts) ?? null;
}
