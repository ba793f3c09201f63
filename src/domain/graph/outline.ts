import { type Definition, edgesOf, nodesOf, own, ownObject, ownText } from './definition.ts';
import { isNodeKind, type NodeKind } from './node-kinds.ts';

/** A graph as a small picture needs it. */
export interface Outline {
  nodes: { id: string; type: NodeKind | null; x: number; y: number }[];
  /** Ids of source and target. */
  edges: [string, string][];
}

const maxNodes = 60;
const maxEdges = 120;

/** The first nodes of a graph with their places, and the first edges between them (contract 1.5). */
export function outlineOf(definition: Definition): Outline {
  const nodes = nodesOf(definition)
    .flatMap((node) => {
      const [id, type, place] = [ownText(node, 'id'), own(node, 'type'), ownObject(node, 'position')];
      return id === undefined
        ? []
        : [
            {
              id,
              type: isNodeKind(type) ? type : null,
              x: coordinate(own(place, 'x')),
              y: coordinate(own(place, 'y')),
            },
          ];
    })
    .slice(0, maxNodes);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = edgesOf(definition).flatMap((edge): [string, string][] => {
    const [source, target] = [ownText(edge, 'source'), ownText(edge, 'target')];
    return source !== undefined && target !== undefined && ids.has(source) && ids.has(target)
      ? [[source, target]]
      : [];
  });
  return { nodes, edges: edges.slice(0, maxEdges) };
}

function coordinate(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : 0;
}
