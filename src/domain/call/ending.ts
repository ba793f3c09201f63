import { planNode, type Plan } from '../graph/plan.ts';
import { branchAt, type Checkpoint } from './checkpoint.ts';
import type { Disposition } from './dispositions.ts';
import type { ExtractionRequest } from './turn.ts';

/** Dispositions after which nothing is extracted (contract 8.2). */
const unread: ReadonlySet<Disposition> = new Set(['voicemail_detected', 'pipeline_error']);

/**
 * The extractions to run when a conversation ends outside a turn (hang-up, silence, the session's end).
 * `lineCount` is the number of lines of the last committed turn. `finishTurn` handles ends by an End Call
 * node.
 */
export function endExtractions({
  plan,
  checkpoint,
  reason,
  lineCount,
}: {
  plan: Plan;
  checkpoint: Checkpoint;
  reason: Disposition;
  lineCount: number;
}): ExtractionRequest[] {
  const { nodeId, visitIndex, turnIndex } = checkpoint;
  // Right after a rewind, the last turn belongs to an older branch than the next one.
  const branch = branchAt(checkpoint, turnIndex) ?? checkpoint.branch;
  if (nodeId === null || unread.has(reason) || planNode(plan, nodeId)?.extraction !== true) return [];
  return [{ nodeId, visitIndex, point: 'end', throughTurnIndex: turnIndex, throughLine: lineCount, branch }];
}
