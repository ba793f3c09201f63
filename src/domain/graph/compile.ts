import { type Definition, nodesOf, own, ownList, ownObject, ownText } from './definition.ts';
import { conversationEdges, groupBySource } from './edges.ts';
import { graphFault, said } from './describe.ts';
import { GraphError, type CodedFault } from './faults.ts';
import { readBoolean } from './fields.ts';
import { isConversationKind } from './node-kinds.ts';
import type { Plan, PlanNode } from './plan.ts';

export type { Plan } from './plan.ts';

/** Maximum size of a plan in the call's input. */
export const maxPlanBytes = 128 * 1024;

/**
 * Compiles a complete definition to a plan. Throws GraphError (422) when there is no start node or the plan
 * exceeds 128 KiB.
 */
export function compilePlan(definition: Definition): Plan {
  const plan = toPlan(definition);
  if (plan.startNodeId === '')
    throw new GraphError([graphFault('start_missing', null, 'The graph has no start node')], { status: 422 });
  const fault = planSizeFault(definition);
  if (fault !== null) throw new GraphError([fault], { status: 422 });
  return plan;
}

/** The fault of a graph whose plan is too large to be pinned to a call, or null. */
export function planSizeFault(definition: Definition): CodedFault | null {
  const plan = toPlan(definition);
  const bytes = bytesOf(plan);
  if (bytes <= maxPlanBytes) return null;
  const ofEdges = plan.nodes.reduce((sum, { edges }) => sum + bytesOf(edges), 0);
  const [field, most, max] =
    ofEdges > bytes / 2
      ? (['edges', ofEdges, `${ofEdges} of them for ids and targets of edges`] as const)
      : (['nodes', bytes - ofEdges, `${bytes - ofEdges} of them for ids and names of nodes`] as const);
  return graphFault(
    'graph_too_large',
    field,
    said(
      `The graph is too large: its plan takes ${bytes} bytes of at most ${maxPlanBytes}, ${max}; shorten these or divide the graph`,
      { bytes, max: maxPlanBytes, most, of: field },
    ),
  );
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

function toPlan(definition: Definition): Plan {
  const nodes: PlanNode[] = [];
  const webhookNodeIds: string[] = [];
  const edges = groupBySource(conversationEdges(definition));
  for (const node of nodesOf(definition)) {
    const [id, kind, data] = [ownText(node, 'id'), ownText(node, 'type'), ownObject(node, 'data')];
    if (id === undefined) continue;
    if (kind === 'webhook') webhookNodeIds.push(id);
    if (!isConversationKind(kind)) continue;
    const ways = (edges.get(id) ?? []).map((edge) => ({ id: edge.id, target: edge.target }));
    const extraction =
      readBoolean(own(data, 'extraction_enabled')) === true &&
      ownList(data, 'extraction_variables').length > 0;
    nodes.push({
      id,
      kind,
      name: ownText(data, 'name') ?? '',
      extraction,
      edges: kind === 'endCall' ? [] : ways,
    });
  }
  return { startNodeId: nodes.find((node) => node.kind === 'startCall')?.id ?? '', nodes, webhookNodeIds };
}
