import type { GraphEdge } from '../../../graph/draft.ts';

/** What a conversation lights in the graph. */
export interface Lit {
  /** The numbers of a node's visits in the path. */
  visits: ReadonlyMap<string, readonly number[]>;
  /** The node that speaks or listens. Null when the conversation is over. */
  now: string | null;
  /** Transitions that were taken. */
  taken: ReadonlySet<string>;
  /** The one that was taken last. */
  last: string | null;
}

/** Lights the path. A transition is lit if no other leads from the one node to the other. */
export function litOf(path: readonly string[], edges: readonly GraphEdge[], isOver: boolean): Lit | null {
  if (path.length === 0) return null;
  const visits = new Map<string, number[]>();
  for (const [index, id] of path.entries()) visits.set(id, [...(visits.get(id) ?? []), index + 1]);
  const steps = path.slice(1).flatMap((target, index) => {
    const between = edges.filter((edge) => edge.source === path[index] && edge.target === target);
    return between.length === 1 ? between.map(({ id }) => id) : [];
  });
  return {
    visits,
    now: isOver ? null : (path.at(-1) ?? null),
    taken: new Set(steps),
    last: steps.at(-1) ?? null,
  };
}
