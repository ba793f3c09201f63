import { createHash } from 'node:crypto';
import { getRow, insertRow, updateRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { toolRuns } from '../../../db/tables/tool-runs.ts';
import { inTransaction, isDuplicate } from '../../../db/transaction.ts';
import type { ConversationDeps } from './deps.ts';
import { requireKept } from '../records/require-kept.ts';
import type { RunToolInput } from './run-tool.ts';

/**
 * Whether the request may be sent: `mine` for the first claim, `recorded` when the result is known, `unknown`
 * when another worker claimed it and the outcome is unknown.
 */
export type Claim = { kind: 'mine' } | { kind: 'recorded'; result: string } | { kind: 'unknown' };

/**
 * Claims a tool's request before it is sent. The row's unique key decides, even when workers die or overlap.
 */
export async function claimToolRun({
  deps,
  input,
}: {
  deps: Pick<ConversationDeps, 'db' | 'clock'>;
  input: RunToolInput;
}): Promise<Claim> {
  const place = placeOf(input);
  try {
    await inTransaction(deps.db, async (tx) => {
      requireKept(
        await getRow(
          tx,
          calls,
          { id: input.callId, organizationId: input.organizationId },
          { isLocked: true },
        ),
      );
      await insertRow(tx, toolRuns, {
        ...place,
        toolUuid: input.call.toolUuid,
        state: 'started' as const,
        result: null,
        startedAt: deps.clock.now(),
        finishedAt: null,
      });
    });
    return { kind: 'mine' };
  } catch (error) {
    if (!isDuplicate(error, 'uq_tool_runs_place')) throw error;
  }
  const { result } = await getRow(deps.db, toolRuns, { ...place, organizationId: input.organizationId });
  return result === null ? { kind: 'unknown' } : { kind: 'recorded', result };
}

/** Stores the result. The first stored result stays. */
export async function recordToolRun({
  deps,
  input,
  result,
}: {
  deps: Pick<ConversationDeps, 'db' | 'clock'>;
  input: RunToolInput;
  result: string;
}): Promise<void> {
  await inTransaction(deps.db, (tx) =>
    updateRows(tx, toolRuns, {
      where: { ...placeOf(input), state: 'started' },
      change: { state: 'finished', result, finishedAt: deps.clock.now() },
    }),
  );
}

function placeOf({ callId, organizationId, branch, turnIndex, callIndex, call }: RunToolInput) {
  const requestSha256 = createHash('sha256').update(`${call.toolUuid}\n${call.argumentsText}`).digest('hex');
  return { callId, organizationId, branch, turnIndex, callIndex, requestSha256 };
}
