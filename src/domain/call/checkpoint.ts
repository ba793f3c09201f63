/**
 * The state of a conversation after a committed change. Plain JSON without text of the conversation.
 *
 * `revision` grows by one with each committed change, rewinds included. `branch` grows by one with each
 * rewind and never goes back; `lineage` says which turns of which branch still count.
 */
export interface Checkpoint {
  /** Node the conversation is at; null before the opening turn. */
  nodeId: string | null;
  /** Counts entries into nodes: 0 for the start node; -1 before the opening turn. */
  visitIndex: number;
  /** Index of the last committed turn; -1 before the opening turn. */
  turnIndex: number;
  /** Node names in order of first entry, without repeats (contract 6.5). */
  nodesVisited: string[];
  revision: number;
  branch: number;
  lineage: BranchSpan[];
}

/** From this turn until the next span begins, the turns of this branch are live. */
export interface BranchSpan {
  branch: number;
  fromTurnIndex: number;
}

/** The checkpoint before the opening turn. */
export const initialCheckpoint: Checkpoint = {
  nodeId: null,
  visitIndex: -1,
  turnIndex: -1,
  nodesVisited: [],
  revision: 0,
  branch: 0,
  lineage: [{ branch: 0, fromTurnIndex: 0 }],
};

/**
 * Rewinds to `target`, the checkpoint of an earlier turn (null = before the first turn), on a new branch.
 * Later turns are discarded (contract 6.10, 8.2).
 */
export function rewindTo({
  current,
  target,
}: {
  current: Checkpoint;
  target: Checkpoint | null;
}): Checkpoint {
  const { nodeId, visitIndex, turnIndex, nodesVisited } = target ?? initialCheckpoint;
  const branch = current.branch + 1;
  const kept = current.lineage.filter((span) => span.fromTurnIndex <= turnIndex);
  return {
    nodeId,
    visitIndex,
    turnIndex,
    nodesVisited,
    revision: current.revision + 1,
    branch,
    lineage: [...kept, { branch, fromTurnIndex: turnIndex + 1 }],
  };
}

/** The branch whose turn of that index is live; null when there is none. */
export function branchAt({ lineage }: Checkpoint, turnIndex: number): number | null {
  return lineage.findLast((each) => each.fromTurnIndex <= turnIndex)?.branch ?? null;
}

/** True when that turn of that branch is live. */
export function isLive(
  checkpoint: Checkpoint,
  { branch, throughTurnIndex }: { branch: number; throughTurnIndex: number },
): boolean {
  return branchAt(checkpoint, throughTurnIndex) === branch;
}
