import type { ConversationKind } from './node-kinds.ts';

/**
 * What a call is pinned to: ids, kinds, names and edges of one version. No prompt and no secret is in it.
 * Plain JSON.
 */
export interface Plan {
  startNodeId: string;
  /** In graph order; read one by `planNode`. A list, so that a node may be called `__proto__`. */
  nodes: PlanNode[];
  webhookNodeIds: string[];
}

export interface PlanNode {
  id: string;
  kind: ConversationKind;
  name: string;
  /** True when something is extracted here (contract 8.1). */
  extraction: boolean;
  edges: PlanEdge[];
}

export interface PlanEdge {
  /** Unique in the plan. */
  id: string;
  target: string;
}

/** The node of that id, or null. */
export function planNode(plan: Plan, nodeId: string): PlanNode | null {
  return plan.nodes.find((node) => node.id === nodeId) ?? null;
}
