import type { ConversationKind } from './node-kinds.ts';

/**
 * What a call carries of its version: ids, kinds, names and edges. Plain JSON without prompts and secrets.
 */
export interface Plan {
  startNodeId: string;
  /** In graph order; `planNode` finds one. It is a list, so that an id may be `__proto__`. */
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
