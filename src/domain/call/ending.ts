import { planNode, type Plan } from '../graph/plan.ts';
import { branchAt, type Checkpoint } from './checkpoint.ts';
import type { Disposition } from './dispositions.ts';
import type { ExtractionRequest } from './turn.ts';

/** Ends that leave nothing worth reading (contract 8.2). */
const unread: ReadonlySet<Disposition> = new Set(['voicemail_detected', 'pipeline_error']);

/**
 * What is still to be read when a conversation ends outside a turn (hang-up, silence, the session's end).
 * `lineCount` are the lines of the last committed turn. Ends by an End Call node are `finishTurn`'s.
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
  // Right after a rewind the last turn is of an older branch than the next one will be.
  const branch = branchAt(checkpoint, turnIndex) ?? checkpoint.branch;
  if (nodeId === null || unread.has(reason) || planNode(plan, nodeId)?.extraction !== true) return [];
  return [{ nodeId, visitIndex, point: 'end', throughTurnIndex: turnIndex, throughLine: lineCount, branch }];
}
