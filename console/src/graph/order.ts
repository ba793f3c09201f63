import type { Draft, GraphEdge, GraphNode } from './draft.ts';

/** A node with its transitions, in the order in which the model is offered them. */
export interface OutlineEntry {
  readonly node: GraphNode;
  readonly ways: readonly GraphEdge[];
  /** No path leads from the start to it. */
  readonly isUnreachable: boolean;
}

export interface Outline {
  /** The conversation in reading order: from the start, breadth first, then what cannot be reached. */
  readonly flow: readonly OutlineEntry[];
  /** Nodes outside the conversation. */
  readonly beside: readonly GraphNode[];
}

/** `isBeside` says which types have no place in the conversation; an unknown type has one. */
export function outlineOf({ nodes, edges }: Draft, isBeside: (type: string) => boolean): Outline {
  const flow = nodes.filter(({ type }) => !isBeside(type));
  const byId = new Map(flow.map((node) => [node.id, node]));
  const waysOf = Map.groupBy(edges, ({ source }) => source);
  const reached = new Set<string>();
  const walk = (from: readonly GraphNode[]): GraphNode[] => {
    const queue = [...from];
    for (const { id } of from) reached.add(id);
    for (const { id } of queue)
      for (const { target } of waysOf.get(id) ?? []) {
        const next = byId.get(target);
        if (next === undefined || reached.has(target)) continue;
        reached.add(target);
        queue.push(next);
      }
    return queue;
  };
  const entry = (isUnreachable: boolean) => (node: GraphNode) => ({
    node,
    ways: waysOf.get(node.id) ?? [],
    isUnreachable,
  });
  const targets = new Set(edges.map(({ target }) => target));
  const starts = flow.filter(({ type }) => type === 'startCall');
  const roots = starts.length > 0 ? starts : flow.filter(({ id }) => !targets.has(id)).slice(0, 1);
  const main = walk(roots).map(entry(false));
  const others = flow.filter(({ id }) => !reached.has(id)).map(entry(true));
  return { flow: [...main, ...others], beside: nodes.filter(({ type }) => isBeside(type)) };
}
